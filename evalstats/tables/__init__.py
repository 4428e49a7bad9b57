"""What was measured, and how is it read?"""
