"""What modules declare: symbols and scopes, written types, traits, and what a name that is not known may have meant."""
