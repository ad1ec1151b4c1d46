"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text."""
