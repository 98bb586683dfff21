"""The command line: results on standard output, progress and messages on standard error."""
