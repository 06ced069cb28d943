"""A room before and around the game: invite code, seats, host, options, start."""
