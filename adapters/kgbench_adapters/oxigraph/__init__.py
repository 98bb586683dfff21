"""The embedded engine: oxigraph, in memory or as a store on disk."""
