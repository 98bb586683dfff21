"""Model backends: one request, one answer; no cache, no retry, no counting."""
