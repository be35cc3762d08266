"""What a person rated elsewhere: from the files other services give to rows, one format a file."""
