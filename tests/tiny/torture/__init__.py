"""Strongbox: a game with every awkward thing the contract must carry."""
