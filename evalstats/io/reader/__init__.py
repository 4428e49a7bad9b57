"""Readers of tables, predictions and answers, which combine all stages."""
