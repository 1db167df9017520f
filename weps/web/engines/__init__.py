"""Search engines: asked for the pages of a name, behind one protocol."""
