"""Splendor: two to four jewellers, tokens for cards, cards for nobles."""
