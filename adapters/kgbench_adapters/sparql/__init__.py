"""A graph behind a SPARQL 1.1 endpoint: Virtuoso, oxigraph's server, Wikidata, DBpedia and others."""
