"""Which test does an experiment call for?"""
