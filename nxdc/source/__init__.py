"""Source texts: files, spans, literate documents, source roots, and the lean record classes every layer builds on."""
