"""Output formats: documents in, strings out; one module for each format."""
