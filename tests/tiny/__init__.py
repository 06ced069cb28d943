"""Tiny games that prove the contract before a real game leans on it."""
