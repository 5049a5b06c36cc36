"""Components of variance: planted ones are found; how many instances a half width needs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lib.analysis.bootstrap import draw_weights
from scripts.lib.analysis.intervals import estimate_mean
from scripts.lib.analysis.variance import (
    COMPONENTS,
    components,
    expected_half_width,
    mean_variance,
    seeds_needed,
)

PLANTED = {"instance": 0.02, "instance x model": 0.01, "instance x mode": 0.006, "rollout": 0.04}
SHAPE = (3, 2)  # models, modes


def made_up(rng: np.random.Generator, size: int) -> np.ndarray:
    """Scores (size, models, modes) with the planted components, and models and modes that differ."""
    models, modes = SHAPE
    kinds = [(size, 1, 1), (size, models, 1), (size, 1, modes), (size, models, modes)]
    parts = [sd**0.5 * rng.standard_normal(kind) for sd, kind in zip(PLANTED.values(), kinds, strict=True)]
    return sum(parts) + np.arange(models)[:, None] * 0.1 + np.arange(modes) * 0.2


def found(scores: dict[str, np.ndarray], resamples: int = 200) -> dict[str, np.ndarray]:
    return components(
        scores, {task: draw_weights(1, task, resamples, len(its)) for task, its in scores.items()}
    )


def test_planted_components_lie_in_their_intervals() -> None:
    rng = np.random.default_rng(3)
    held = dict.fromkeys(PLANTED, 0)
    for _ in range(100):
        its = found({task: made_up(rng, 40) for task in ("maze", "cube", "logic")})
        for name, true in PLANTED.items():
            part = estimate_mean(its[name], 0.95, [40] * 3, (0, np.inf))
            held[name] += part.low <= true <= part.high
    assert all(count >= 88 for count in held.values()), held  # about 94 expected


def test_the_models_means_vary_as_planted() -> None:
    rng = np.random.default_rng(4)
    its = found({task: made_up(rng, 2000) for task in ("maze", "cube")}, resamples=1)
    assert its["model"][0] == pytest.approx(np.var([0, 0.1, 0.2], ddof=1), abs=0.002)


def test_balanced_data_give_the_components_of_the_mixed_model() -> None:
    """REML of statsmodels with crossed random effects, where no component is negative."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    scores = made_up(np.random.default_rng(5), 30)
    index = np.array(list(np.ndindex(scores.shape)))
    frame = pd.DataFrame(index, columns=["instance", "model", "mode"]).assign(score=scores.ravel())
    parts = {"model": "0 + C(model)", "mode": "0 + C(mode)"}
    fit = MixedLM.from_formula(
        "score ~ C(model) * C(mode)", frame, groups="instance", re_formula="1", vc_formula=parts
    ).fit(reml=True)
    its = {name: values[0] for name, values in found({"maze": scores}, resamples=1).items()}
    fitted = {
        "instance": float(fit.cov_re.iloc[0, 0]),
        "instance x model": float(fit.vcomp[fit.model.exog_vc.names.index("model")]),
        "instance x mode": float(fit.vcomp[fit.model.exog_vc.names.index("mode")]),
        "rollout": float(fit.scale),
    }
    assert all(value > 0 for value in its.values())
    assert {name: its[name] for name in fitted} == pytest.approx(fitted, abs=2e-4)


def test_one_component_alone_is_found_exactly() -> None:
    values = np.random.default_rng(6).random(12)
    its = found({"maze": np.tile(values[:, None, None], (1, 3, 2))}, resamples=1)
    assert its["instance"][0] == pytest.approx(np.var(values, ddof=1))
    assert [its[name][0] for name in COMPONENTS[1:]] == pytest.approx([0] * 4)


def test_how_many_instances_a_half_width_needs() -> None:
    assert expected_half_width(0.25, 20, 0.95, 1) == pytest.approx(2.0930 * 0.5 / 20**0.5, abs=1e-4)
    assert seeds_needed(0.25, 0.05, 0.95, 1) == 387  # z alone says 385
    assert seeds_needed(0.25, 0.9, 0.95, 32) == 2
    assert mean_variance([np.array([0.0, 1.0]), np.array([0.5, 0.5, 0.5])]) == 0.25


@given(st.floats(0.001, 1), st.floats(0.01, 0.5), st.integers(1, 32))
def test_the_fewest_instances_suffice_and_one_less_does_not(
    variance: float, wanted: float, tasks: int
) -> None:
    seeds = seeds_needed(variance, wanted, 0.95, tasks)
    assert expected_half_width(variance, seeds, 0.95, tasks) <= wanted
    assert seeds == 2 or expected_half_width(variance, seeds - 1, 0.95, tasks) > wanted
