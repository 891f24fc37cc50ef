"""How much CPU time jitlint takes, as ratios that another machine would give too."""
