"""Take the Gold: two to six players steal each other's coins, answer, and fear the kraken."""
