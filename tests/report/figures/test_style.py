from tacit.report.figures.style import line_style, marked_style, marker_path


def test_lines_are_told_apart_by_dashes_when_colours_run_out() -> None:
    styles = [str(line_style(place)) for place in range(24)]
    assert len(set(styles)) == 24


def test_neighbours_differ_in_dashes_and_markers_for_grey_print() -> None:
    for place in range(12):
        one, next_one = marked_style(place), marked_style(place + 1)
        assert one["linestyle"] != next_one["linestyle"]
        assert one["marker"] != next_one["marker"]
        assert marker_path(place) != marker_path(place + 1)
