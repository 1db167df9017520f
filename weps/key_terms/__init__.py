"""What people could be called or searched by: the words and names of a name's pages."""
