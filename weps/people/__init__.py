"""From clusters to people: answers with scores, descriptions, context and evidence."""
