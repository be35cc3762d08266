"""Ratings from the exports of other services: one format per file.

csv goodreads imdb lastfm letterboxd listenbrainz movielens netflix storygraph trakt    the formats
base           what an importer is: options, the ratings it yields, the report of what was left out
archive        opens an export (a file or a zip) and decodes its text
entries        reads csv tables and JSON files entry by entry
cells          parses numbers, years, times and dates
build_ratings  builds ratings, merges several about an item, chooses those of one profile
"""
