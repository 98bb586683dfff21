"""GoG: generate on graph, an agent that searches a graph and fills its gaps from its own knowledge."""
