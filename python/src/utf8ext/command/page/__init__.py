"""The HTML page of `utf8ext report`."""
