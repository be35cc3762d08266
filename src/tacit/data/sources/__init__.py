"""The known data sets: where they come from, how they get here, and one parser per publisher.

known_datasets   the list: address, licence, citation, parser
locate           `find`: the folder that holds a named data set; where none does, it is obtained
obtain           archive to NAME.parquet in the cache: find or download it, check it, parse it, store it
download         one file over http, resumed where it stopped
archives         members of .zip, .tar.gz and .gz archives, for the parsers
amazon foursquare gowalla librarything movielens netflix yahoo   the parsers
"""
