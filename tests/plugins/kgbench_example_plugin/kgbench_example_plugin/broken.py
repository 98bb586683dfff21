"""A module that cannot be imported: what it needs is not there."""

raise ImportError("the package gearbox is missing")
