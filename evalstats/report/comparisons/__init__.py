"""Report of a comparison: verdict, tables, methods and notes."""
