"""Graph engines for kgbench: one folder an engine, and what they share (queries, ids, labels, files, profiles)."""
