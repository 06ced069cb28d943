"""Players made of code, and games between them."""
