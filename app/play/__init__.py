"""A running game: its journal, its table in memory, its shuffle and its record."""
