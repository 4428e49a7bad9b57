"""Programs that evaluate language models: one module for each format."""
