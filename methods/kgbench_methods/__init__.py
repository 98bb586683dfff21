"""The KGQA methods that come with kgbench, one folder a method; helpers that several share stand in ``common``."""
