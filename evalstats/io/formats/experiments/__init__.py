"""Programs that run experiments: one module for each format."""
