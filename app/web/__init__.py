"""Pages, forms and the HTTP API."""
