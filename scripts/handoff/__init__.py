"""The handoff study: when does a chain of agents beat one long context?"""
