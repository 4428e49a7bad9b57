"""Do several classifiers differ, and which?"""
