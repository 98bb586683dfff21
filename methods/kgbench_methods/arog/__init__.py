"""ARoG: abstraction reasoning on graph."""
