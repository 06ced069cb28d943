"""Who is connected, and what each of them is sent."""
