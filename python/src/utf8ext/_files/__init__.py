"""Text files of any size, in chunks: what is wrong with them, and their conversion."""
