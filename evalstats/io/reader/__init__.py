"""Read a table, predictions or answers: the only code that knows all stages."""
