"""Where are predictions kept, and what can be counted there? One module for each kind of engine."""
