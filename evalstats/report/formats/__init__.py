"""Output formats of documents, one module for each format."""
