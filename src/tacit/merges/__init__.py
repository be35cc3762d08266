"""How a received model is combined with one's own: a weight for each row, one merge a file."""
