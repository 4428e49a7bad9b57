"""What does each column, row and name mean?"""
