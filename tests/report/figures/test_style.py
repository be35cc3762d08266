from tacit.report.figures.style import line_style


def test_lines_are_told_apart_by_dashes_when_colours_run_out() -> None:
    styles = [str(line_style(place)) for place in range(24)]
    assert len(set(styles)) == 24
