"""Graphs as the harness uses them: opened by location, read through a gate."""
