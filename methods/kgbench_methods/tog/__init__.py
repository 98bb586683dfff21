"""Think-on-Graph: beam search on the graph, steered by the model."""
