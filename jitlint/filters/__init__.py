"""From what was found to what is shown: comments, ignored files, baselines, changed lines."""
