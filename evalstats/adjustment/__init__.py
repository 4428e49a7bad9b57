"""Which p-values survive being many?"""
