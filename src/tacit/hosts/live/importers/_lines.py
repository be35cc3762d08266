"""Where something stands in a file: a number that remembers what stood there."""

from __future__ import annotations


class Line(int):
    """The number of a line (or entry), with the name of its file and its text as it was."""

    file: str
    text: str

    @classmethod
    def of(cls, number: int, file: str, text: str) -> Line:
        """Line `number` of a file.

        >>> line = Line.of(7, "ratings.csv", "Night Ferry,2010,eleven")
        >>> line + 1, line.text
        (8, 'Night Ferry,2010,eleven')
        """
        line = cls(number)
        line.file, line.text = file, text
        return line
