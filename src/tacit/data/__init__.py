"""Data sets: loading, checking, filtering and splitting them, and inventing them.

dataset            `load`: a known name, a file, a frame or a matrix becomes a `Dataset`
source_rows        every row of a source, checked, before anything is filtered or numbered
read_interactions  one file or frame, checked row by row; files.py opens it, columns.py tells its columns apart
foreign_tables     pandas, SciPy, LensKit and Arrow tables as frames
duplicates filtering ids   repeated pairs; rare items and users; ids as positions
splits             training, validation and test parts of every user; given_split.py: parts that are given, or written
synthetic          invented interactions of any size; synthetic_kernels.py has its compiled loops
describe           figures of a data set, and checking one's own file
item_metadata features categories sequences   titles and the like; genres as numbers; categories; visits in time
images heldout_stream   MNIST dealt to agents, and the order in which test images come
disclosure_file    how much each user discloses, and which kinds of items
per_user_file      a file with a number for each user
row_order          whether rows can stand for times, where a split needs times and there are none
training_catalogue the catalogue without items that only the test part has
sources/           the known data sets, and how they get here
"""
