"""What is sampled, and which tests, intervals and other analyses do such data permit? One module for each design."""
