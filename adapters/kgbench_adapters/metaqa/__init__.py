"""MetaQA's graph in its published form."""
