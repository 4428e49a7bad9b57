"""Which tests, in which order, and what follows?"""
