"""Pictures of a study: plain data in, SVG and PNG out. Needs matplotlib, but only to draw."""
