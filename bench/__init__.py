"""The sample client, the load client, and measurements. README.md says how to run them."""
