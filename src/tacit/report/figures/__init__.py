"""Figures with matplotlib.

curves          learning curves, distributions over users, bytes sent
paper_figures   figures of papers from our numbers
style           fonts, colours and line styles of all figures
image_files     a figure as SVG inside a page, or as a PNG, PDF or SVG file
"""
