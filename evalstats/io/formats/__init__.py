"""Which program wrote a source?"""
