"""How large can a statistic be by chance?"""
