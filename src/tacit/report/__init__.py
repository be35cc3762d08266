"""Reports: how results are shown, on a terminal, on a page, in a notebook.

comparison sweep reproduction instruments   one file per kind of result, for the terminal and the page
terminal_tables progress forecast           tables of runs; how far a run is; what it will take
run_table latex                             finished runs in one table; tables for papers
notebook                                    results with plots as methods
recipe_reference coverage checklist measured_tables
                                            pages that are written from the code, in docs/reference/ and docs/papers/
markdown machine                            tables in Markdown; the machine of a result
run_groups summary_sentences formatting     runs by setting; what they show in words; names and numbers
figures/                                    drawings with matplotlib
page/                                       the report as one HTML page
"""
