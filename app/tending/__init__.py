"""What a host does beside the games: looking after rooms, announcements, backups."""
