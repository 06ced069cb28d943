"""Motherlode: five gold games, played by friends in a browser."""
