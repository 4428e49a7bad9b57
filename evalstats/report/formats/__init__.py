"""Documents in, strings out: one module for each way of writing."""
