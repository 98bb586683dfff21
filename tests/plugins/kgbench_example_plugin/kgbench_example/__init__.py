"""A stranger's methods for kgbench."""
