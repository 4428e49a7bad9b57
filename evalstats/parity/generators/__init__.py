"""Generators of inputs for R: one module for each subpackage, one function for each public function."""
