"""Connect four: rules, a policy by rollouts, and matches."""
