"use strict";
// The game of two players: three sliders, the measured games, a picture, and in words what it shows.
(() => {
  const NAMES = ["v1", "v2", "v12"];
  const at = (name) => document.getElementById("game" + (name && "-" + name));
  const list = at("list");
  const sliders = NAMES.map(at);
  const number = (value) => value.toFixed(3).replace("-", "\u2212");
  const NEAR = 1e-9; // sums of thousandths are not exact

  // A point of the plane in the picture, where y points downwards.
  const point = (x, y) => `${x} ${-y}`;
  const zone = (from, to) => [[from + 3, -3], [to + 3, -3], [to - 3, 3], [from - 3, 3]].map(([x, y]) => point(x, y)).join(" ");

  function words(v1, v2, v12) {
    const tax = Math.max(v1, v2) - v12;
    const surplus = v12 - v1 - v2;
    const phi = [(v1 + v12 - v2) / 2, (v2 + v12 - v1) / 2];
    at("tax").textContent = tax > NEAR
      ? `Tax ${number(tax)}: together they score less than the better member alone. The game is not max-superadditive.`
      : `No tax: together they score ${number(Math.max(0, -tax))} more than the better member alone. The game is max-superadditive.`;
    const change = Math.abs(surplus) <= NEAR ? "as much as" : `${number(Math.abs(surplus) / 2)} ${surplus < 0 ? "less" : "more"} than`;
    at("shapley").textContent =
      `Shapley values: first ${number(phi[0])}, second ${number(phi[1])}; each is credited with ${change} alone.`;
    at("core").textContent = surplus < -NEAR
      ? `v12 is below v1 + v2: the game is subadditive and has no core.`
      : `v12 is at least v1 + v2: the game is superadditive. Its core gives the first member ${number(v1)} to ${number(v12 - v2)}.`;
    return { phi, core: surplus >= -NEAR };
  }

  function picture(v1, v2, v12, phi, core) {
    const set = (name, attributes) => {
      for (const [key, value] of Object.entries(attributes)) at(name).setAttribute(key, value);
    };
    const best = Math.max(v1, v2);
    set("zone-tax", { points: zone(-9, best) });
    set("zone-short", { points: zone(best, v1 + v2) });
    set("zone-core", { points: zone(v1 + v2, 9) });
    set("alone-lines", { d: `M${point(v1, -1)}V-2M${point(-1, v2)}H2` });
    set("splits", { d: `M${point(-1, v12 + 1)}L${point(2, v12 - 2)}` });
    set("core-line", { d: core ? `M${point(v1, v12 - v1)}L${point(v12 - v2, v2)}` : "" });
    set("change", { d: `M${point(v1, v2)}L${point(phi[0], phi[1])}` });
    set("alone", { cx: v1, cy: -v2 });
    set("shapley-point", { transform: `translate(${phi[0]} ${-phi[1]})` });
    set("alone-name", { x: v1 + 0.04, y: -v2 - 0.03 });
    set("shapley-name", { x: phi[0] + 0.05, y: -phi[1] + 0.06 });
  }

  function show() {
    const values = sliders.map((slider) => Number(slider.value));
    NAMES.forEach((name, place) => { at(name + "-value").textContent = number(values[place]); });
    const { phi, core } = words(...values);
    picture(...values, phi, core);
  }

  function load() {
    if (!list.value) return;
    list.value.split(" ").forEach((value, place) => { sliders[place].value = value; });
    show();
  }

  list.addEventListener("change", load);
  for (const slider of sliders) {
    slider.addEventListener("input", () => { list.value = ""; show(); });
  }
  list.selectedIndex = Math.min(1, list.options.length - 1);
  load();
  show();
  at("").hidden = false;
})();
