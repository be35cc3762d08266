"""The report as one HTML page: Python gathers what is shown, `templates/` lay it out.

page                  a whole page out of sections, written to a file
summary_and_results   the summary in words, and the table of results
figure_sections       learning curves, users, communication
provenance_sections   data, parameters, machine, notes: what is needed to run it again
render                a template and values to HTML
"""
