"""What people say to each other at a table; no part of the game."""
