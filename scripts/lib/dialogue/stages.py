"""The four stages of grounding, at each of which a conversation can break (The Collaboration Tax, its L1-L4).

A stage is satisfied or not; it fires where it is not satisfied.
"""

STAGES = {"l1": "attribution", "l2": "querying", "l3": "integration", "l4": "verification"}
