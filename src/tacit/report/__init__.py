"""What a run looks like: tables for a terminal, figures, one self-contained HTML page, a progress line."""
