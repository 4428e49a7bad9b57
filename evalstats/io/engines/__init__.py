"""Where do large tables stay, and what is counted there?"""
