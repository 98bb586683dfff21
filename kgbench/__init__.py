"""kgbench: question answering over private knowledge graphs, measured for accuracy, cost and leakage."""

__version__ = "0.1.0"
