"use strict";
// The model under sliders: success of one agent and of chains on a linear curve, and votes under shared failure.
(() => {
  const byId = (name) => document.getElementById(name);
  const number = (value, places = 3) => value.toFixed(places).replace("-", "\u2212");
  const steps = (count) => (count === 1 ? "1 step" : `${count} steps`);
  const chain = byId("play-chain");
  const vote = byId("play-vote");
  const base = Number(chain.dataset.base);
  const deepest = Number(chain.dataset.depth);

  // Loss of a task of some depth in chunks of some size (equation 5); the last chunk may be shorter.
  function loss(depth, size, h, tax, note) {
    let total = 0;
    for (let done = 0; done < depth; done += size) {
      const length = Math.min(size, depth - done);
      const fresh = done ? tax * note : 0;
      total += length * (base + fresh) + (tax * length * (length + 1)) / 2 + (done ? h : 0);
    }
    return total;
  }

  const line = (values, top) => values
    .map(([x, y], place) => `${place ? "L" : "M"}${(100 * x).toFixed(2)} ${(70 * (1 - y / top)).toFixed(2)}`)
    .join("");

  function bestChunk(h, tax, note) {
    let best = 1;
    for (let size = 2; size <= deepest; size++) {
      if (loss(deepest, size, h, tax, note) < loss(deepest, best, h, tax, note) - 1e-12) best = size;
    }
    return best;
  }

  function showChain() {
    const names = ["chain-h", "chain-tax", "chain-note"];
    const [h, tax, note] = names.map((name) => Number(byId(name).value));
    names.forEach((name, place) => { byId(`${name}-value`).textContent = number([h, tax, note][place], [3, 4, 2][place]); });
    // The 1e-9 takes back what rounding of the quotient adds or loses at whole numbers.
    const crossover = Math.max(2, Math.floor((2 * (h + tax * note)) / tax + 1e-9) + 1);
    const best = bestChunk(h, tax, note);
    byId("chain-crossover").textContent =
      `From L* = ${steps(crossover)} on a new agent for each step beats one agent.`;
    byId("chain-best").textContent = best === deepest
      ? `At ${steps(deepest)} one agent for the whole task is best.`
      : `At ${steps(deepest)} the best chunk is m* = ${steps(best)}; the law sqrt(2h / \u03bbk) says ${number(Math.sqrt((2 * h) / tax), 2)}.`;
    const success = (size) => Math.exp(-loss(deepest, size, h, tax, note));
    byId("chain-success").textContent =
      `Success at ${steps(deepest)}: one agent ${number(success(deepest))}, a new agent each step ${number(success(1))}, the best chunk ${number(success(best))}.`;
    byId("chain-chunk-name").textContent = `a new agent each ${steps(best)}`;
    for (const [name, size] of [["single", deepest], ["each", 1], ["chunk", best]]) {
      const points = [];
      for (let depth = 1; depth <= deepest; depth++) {
        points.push([(depth - 1) / (deepest - 1), Math.exp(-loss(depth, size, h, tax, note))]);
      }
      byId(`chain-${name}`).setAttribute("d", line(points, 1));
    }
    const at = (100 * (crossover - 1)) / (deepest - 1);
    byId("chain-mark").setAttribute("d", crossover <= deepest ? `M${at.toFixed(2)} 0V70` : "");
  }

  // Failure of a majority of independent calls.
  function majority(failure, calls) {
    let total = 0;
    let ways = 1;
    for (let lost = 0; lost <= calls; lost++) {
      if (lost > calls / 2) total += ways * failure ** lost * (1 - failure) ** (calls - lost);
      ways = (ways * (calls - lost)) / (lost + 1);
    }
    return total;
  }

  function showVote() {
    const rho = Number(byId("vote-rho").value);
    const { least, spread, budget, votes } = Object.fromEntries(
      Object.entries(vote.dataset).map(([name, value]) => [name, Number(value)]));
    const alone = (units) => least + spread * Math.exp(-budget * units);
    const single = alone(1);
    const shared = (calls) => rho * single + (1 - rho) * majority(single, calls);
    byId("vote-rho-value").textContent = number(rho, 2);
    byId("vote-threshold").textContent =
      `\u03c1* = ${number(least / single)}: at a large budget ${rho < least / single ? "the vote" : "one call"} wins.`;
    byId("vote-failure").textContent =
      `Failure at ${votes} calls: a vote ${number(shared(votes))}, one call with their budget ${number(alone(votes))}, a single call ${number(single)}.`;
    const top = single * 1.1;
    byId("vote-top").textContent = number(top, 2);
    const counts = [];
    for (let calls = 1; calls <= votes; calls += 2) counts.push(calls);
    const drawn = (failure) => line(counts.map((calls) => [(calls - 1) / Math.max(1, votes - 1), failure(calls)]), top);
    byId("vote-one").setAttribute("d", drawn(alone));
    byId("vote-many").setAttribute("d", drawn(shared));
  }

  for (const [part, show] of [[chain, showChain], [vote, showVote]]) {
    for (const slider of part.querySelectorAll("input")) slider.addEventListener("input", show);
    show();
    part.hidden = false;
  }
})();
