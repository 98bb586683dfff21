"""The subgraphs of RoG's releases: each question has a graph of its own."""
