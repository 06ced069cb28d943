"""Gold Hunting: two players hide ten bars in four mountains and dig for each other's gold."""
