"""Which arrangement has a table, and which record is made of it?"""
