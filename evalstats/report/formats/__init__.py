"""Output formats of documents, with one module for each format."""
