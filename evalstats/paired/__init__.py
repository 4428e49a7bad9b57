"""Do two classifiers differ?"""
