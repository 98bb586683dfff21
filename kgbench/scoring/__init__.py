"""Scoring: pure functions of question text, restored prediction and gold; no model and no graph."""
