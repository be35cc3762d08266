"""The report as one HTML page: Python gathers what is shown, `templates/` lay it out."""
