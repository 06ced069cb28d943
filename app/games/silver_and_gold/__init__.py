"""Silver & Gold: two to four seekers mark the squares of treasure maps, all at once."""
