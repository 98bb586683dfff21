"""Access to models: the gateway is the only way out."""
