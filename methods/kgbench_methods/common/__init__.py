"""What several methods share: parsers of replies, and the closed-book chain of thought."""
