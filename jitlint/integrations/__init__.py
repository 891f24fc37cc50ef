"""Other programs that show the reports: each module adapts jitlint to one of them."""
