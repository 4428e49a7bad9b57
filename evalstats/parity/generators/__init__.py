"""Generators of random inputs for R, with one module for each subpackage and one function for each public function."""
