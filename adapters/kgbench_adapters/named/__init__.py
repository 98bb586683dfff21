"""Graphs whose node ids are names, as some data sets publish them: held in memory by oxigraph."""
