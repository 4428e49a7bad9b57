"""How often does the whole analysis err, by simulation?"""
