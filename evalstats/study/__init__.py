"""How are classifiers run again and again, so that nothing is lost?"""
