"""Methods from outside kgbench."""
