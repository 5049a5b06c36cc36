"""An OpenAI-shaped endpoint on loopback that does to a client what real endpoints do.

``server.py`` runs it, in a test's own thread or as a process of its own; ``options.py`` says what can be set.
"""
