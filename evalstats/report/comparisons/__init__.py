"""How is a comparison said: verdict, tables, methods and notes?"""
