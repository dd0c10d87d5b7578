"""From source text to syntax tree: lexer, layout with contextual words, parser, tree, dump."""
