"""The columns of the tables about themes; the other tables are in ``schemas``."""

from __future__ import annotations

import pyarrow as pa

from scripts.collaboration.schemas import COUNT, FLAG, NUMBER, ROLLOUT_ID, TEXT

# One row a theme of a source (tfidf or embedding). ``wanted`` is the configured number of themes; of the
# ``described`` failures ``clustered`` are in a theme. Examples are nearest to the theme's centre.
THEMES = pa.schema(
    {
        "source": TEXT,
        "theme": COUNT,
        "wanted": COUNT,
        "described": COUNT,
        "clustered": COUNT,
        "size": COUNT,
        "simulated": FLAG,
        "top_terms": pa.list_(TEXT),
        "examples": pa.list_(TEXT),
    }
)

# One row a source and description; ``theme`` and ``likeness`` (cosine to its centre) are null in no theme.
ASSIGNMENTS = pa.schema({**ROLLOUT_ID, "simulated": FLAG, "source": TEXT, "theme": COUNT, "likeness": NUMBER})

# One row a source and number of themes k, of which ``found`` were found; ``chosen`` is the configured k.
# ``between`` is the adjusted Rand index with the other source's clustering of the same k.
STABILITY = pa.schema(
    {
        "source": TEXT,
        "k": COUNT,
        "found": COUNT,
        "chosen": FLAG,
        "simulated": FLAG,
        "described": COUNT,
        "clustered": COUNT,
        "resamples": COUNT,
        "silhouette": NUMBER,
        "silhouette_low": NUMBER,
        "silhouette_high": NUMBER,
        "rand": NUMBER,
        "rand_low": NUMBER,
        "rand_high": NUMBER,
        "between": NUMBER,
    }
)

# One row a source and theme; ``name`` is null where the namer gave none (``error`` says why). The terms tell
# for which themes it is: names of other themes, kept from before a change, are not taken.
NAMES = pa.schema(
    {
        "source": TEXT,
        "theme": COUNT,
        "top_terms": pa.list_(TEXT),
        "simulated": FLAG,
        "namer": TEXT,
        "name": TEXT,
        "error": TEXT,
    }
)

# One row a source and theme: its name and how concentrated it is on single tasks.
THEME_SUMMARY = pa.schema(
    [
        *THEMES,
        *pa.schema(
            {
                "name": TEXT,
                "named_by": TEXT,
                "tasks": COUNT,
                "top_task": TEXT,
                "top_task_share": NUMBER,
                "concentration": NUMBER,
                "expected": NUMBER,
                "chance_low": NUMBER,
                "chance_high": NUMBER,
            }
        ),
    ]
)

# One row a source, theme and task: its descriptions in the theme (``share`` of the size) and in all themes.
THEME_TASKS = pa.schema(
    {
        "source": TEXT,
        "theme": COUNT,
        "task": TEXT,
        "family": TEXT,
        "simulated": FLAG,
        "count": COUNT,
        "size": COUNT,
        "described": COUNT,
        "expected": NUMBER,
        "share": NUMBER,
    }
)

# One row a source, theme and stage: how often the stage fired in rollouts of the theme that were judged, and
# (``overall``) in those of all themes.
THEME_STAGES = pa.schema(
    {
        "source": TEXT,
        "theme": COUNT,
        "stage": TEXT,
        "simulated": FLAG,
        "judged": COUNT,
        "fired": COUNT,
        "rate": NUMBER,
        "rate_low": NUMBER,
        "rate_high": NUMBER,
        "overall": NUMBER,
    }
)
