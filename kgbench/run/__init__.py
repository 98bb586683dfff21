"""Plans, runs and records."""
