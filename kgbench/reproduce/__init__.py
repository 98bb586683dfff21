"""Grids of runs: a published table or figure, or one's own comparison, run as one thing and put beside published numbers."""
