"""Tables and comparisons, made from finished runs."""
