"""Guests: a name, and a secret token that tells one browser from all others."""
