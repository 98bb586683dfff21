"""Data: the common record, the loaders of data sets, and the bundled demo."""
