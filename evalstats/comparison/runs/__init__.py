"""What do the runs of an experiment say?"""
