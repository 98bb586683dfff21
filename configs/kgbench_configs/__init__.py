"""Shipped presets, as TOML package data."""
