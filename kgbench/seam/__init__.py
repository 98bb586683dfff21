"""The privacy seam: what a method sees of the graph, and what a model sees of a prompt."""
