"""A database as the subcommands see it: what an audit finds in it, and its repair."""
