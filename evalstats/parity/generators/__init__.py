"""Generators of random inputs for R, with one function for each public function."""
