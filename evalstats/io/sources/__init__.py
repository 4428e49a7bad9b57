"""What cells does a source hold, and which words stand around them?"""
