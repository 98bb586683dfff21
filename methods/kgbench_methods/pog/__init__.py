"""PoG (Plan-on-Graph): sub-objectives, adaptive breadth, a memory, and entities added back by self-correction."""
