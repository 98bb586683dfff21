"""What the model provider saw, read from finished runs: nothing here sends anything."""
