"""High card: the smallest game with a secret, walked through in docs/adding-a-game.md."""
