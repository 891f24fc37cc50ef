"""One run: from a request to what was found, and to what could not be done."""
