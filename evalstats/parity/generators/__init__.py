"""Which inputs of one room are put to R? A generator has the name of its function, its module that of the room."""
