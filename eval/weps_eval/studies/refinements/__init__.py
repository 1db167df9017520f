"""The study of query refinements (ACL-IJCNLP 2009): how well they find one person, and which."""
