"""What one's own graph and questions are like, and what is wrong with them: before any method is run.

Everything here is LOCAL. Counts, schema labels and places in files leave it; names never do, ids only where they are asked
for.
"""
