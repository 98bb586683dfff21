"""Pure-LLM baselines: IO, chain of thought, and chain of thought with self-consistency. No graph, no retrieval."""
