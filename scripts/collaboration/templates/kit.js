"use strict";
// The annotation kit: shows one rollout at a time, keeps the labels in localStorage, exports and imports CSV.
// Whatever a model wrote is set as text, never as markup.

const COLUMNS = ["rater", "rollout", "stage", "satisfied", "note"];
const VALUES = { y: "1", n: "0", u: "" }; // label -> the CSV's "satisfied"
const WORDS = { y: "yes", n: "no", u: "unsure" };

const kit = JSON.parse(document.getElementById("kit").textContent); // id, stages ["l1", ...], rollouts
const place = `annotation-kit ${kit.id}`; // where the labels are kept
const known = new Map(kit.rollouts.map((rollout, number) => [rollout.id, number]));
const get = (id) => document.getElementById(id);

let state = read(); // {rater, labels: {rollout: {stage: {label, note}}}}
let at = 0; // which rollout is shown
let stage = kit.stages[0]; // which stage the keys label

// --- what is kept -------------------------------------------------------------------------------------

function read() {
  const fresh = { rater: "", labels: {} };
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(place)) };
  } catch {
    return fresh;
  }
}

function keep() {
  try {
    localStorage.setItem(place, JSON.stringify(state));
  } catch {
    warn("This browser keeps nothing for this page: export before you close it.");
  }
}

function labelOf(rollout, name) {
  return state.labels[rollout]?.[name];
}

function setLabel(rollout, name, entry) {
  state.labels[rollout] ??= {};
  if (entry) state.labels[rollout][name] = entry;
  else delete state.labels[rollout][name];
  keep();
}

function isComplete(rollout) {
  return kit.stages.every((name) => labelOf(rollout.id, name));
}

// --- what is shown ------------------------------------------------------------------------------------

function say(text) {
  get("status").textContent = text;
}

function warn(text) {
  get("warning").textContent = text;
  get("warning").hidden = false;
}

function show() {
  const rollout = kit.rollouts[at];
  get("place").textContent = `Conversation ${at + 1} of ${kit.rollouts.length} (${rollout.id})`;
  rollout.views.forEach((text, number) => (get(`view${number + 1}`).textContent = text));
  get("turns").replaceChildren(...rollout.turns.map(turnItem));
  showLabels();
}

function turnItem(turn) {
  const [item, who, text] = ["li", "p", "pre"].map((tag) => document.createElement(tag));
  item.className = `slot${turn.slot}`;
  who.className = "who";
  who.textContent = `Turn ${turn.turn}, agent ${turn.slot}`;
  text.dir = "auto";
  text.textContent = turn.text || "(no message)";
  item.append(who, text);
  return item;
}

function showLabels() {
  for (const name of kit.stages) {
    const entry = labelOf(kit.rollouts[at].id, name);
    const field = get(name);
    field.setAttribute("aria-current", String(name === stage));
    for (const radio of field.querySelectorAll("input")) radio.checked = radio.value === entry?.label;
    field.querySelector("textarea").value = entry?.note ?? "";
  }
  const done = kit.rollouts.filter(isComplete).length;
  get("progress").textContent = `${done} of ${kit.rollouts.length} labelled in full`;
  get("rater").value = state.rater;
}

// --- what the rater does ------------------------------------------------------------------------------

function go(number) {
  const rollout = kit.rollouts[number];
  if (!rollout || number === at) return;
  [at, stage] = [number, kit.stages[0]];
  show();
  get("place").focus();
  location.hash = rollout.id;
}

function shownInAddress() {
  return known.get(location.hash.slice(1)) ?? at;
}

function goToUnlabelled() {
  const order = kit.rollouts.map((_, step) => (at + 1 + step) % kit.rollouts.length);
  const found = order.find((number) => !isComplete(kit.rollouts[number]));
  if (found === undefined) say("Every conversation is labelled. Export the CSV.");
  else go(found);
}

function choose(name) {
  stage = name;
  showLabels();
}

function label(name, value) {
  const rollout = kit.rollouts[at].id;
  setLabel(rollout, name, value && { label: value, note: labelOf(rollout, name)?.note ?? "" });
  say(`${get(name).querySelector("legend").textContent.trim()}: ${WORDS[value] ?? "no label"}`);
  if (value) stage = kit.stages[Math.min(kit.stages.indexOf(name) + 1, kit.stages.length - 1)];
  showLabels();
}

function note(name, text) {
  const rollout = kit.rollouts[at].id;
  const entry = labelOf(rollout, name);
  if (entry || text) setLabel(rollout, name, { label: entry?.label ?? "u", note: text });
  showLabels();
}

function setRater(name) {
  state.rater = name.replaceAll(";", " ").trim();
  keep();
}

// --- CSV ----------------------------------------------------------------------------------------------

function toCsv() {
  const quoted = (text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = kit.rollouts.flatMap(({ id }) =>
    kit.stages
      .filter((name) => labelOf(id, name))
      .map((name) => [state.rater, id, name, VALUES[labelOf(id, name).label], labelOf(id, name).note]),
  );
  return [COLUMNS, ...rows].map((row) => row.map(quoted).join(",") + "\n").join("");
}

function fromCsv(text) {
  text = text.replace(/^\uFEFF/, "");
  const mark = text.split("\n", 1)[0].includes(";") ? ";" : ",";
  const rows = [[""]];
  let inQuotes = false;
  for (let i = 0; i < text.length; i += 1) {
    const row = rows.at(-1);
    if (inQuotes && text[i] === '"' && text[i + 1] === '"') row[row.length - 1] += text[(i += 1)];
    else if (text[i] === '"') inQuotes = !inQuotes;
    else if (!inQuotes && text[i] === mark) row.push("");
    else if (!inQuotes && text[i] === "\n") rows.push([""]);
    else if (inQuotes || text[i] !== "\r") row[row.length - 1] += text[i];
  }
  return rows;
}

function exportCsv() {
  if (!state.rater) {
    say("Give your name first.");
    get("rater").focus();
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toCsv()], { type: "text/csv" }));
  link.download = `annotations-${state.rater.replace(/[^A-Za-z0-9]+/g, "-")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`Exported ${link.download}.`);
}

function importCsv(text) {
  const [heading, ...rows] = fromCsv(text);
  const lacking = COLUMNS.filter((name) => !heading.includes(name));
  if (lacking.length) return say(`Nothing was imported: the file lacks the columns ${lacking.join(", ")}.`);
  const problems = [];
  let taken = 0;
  rows.forEach((cells, number) => {
    if (cells.length === 1 && !cells[0]) return; // an empty line
    const row = Object.fromEntries(heading.map((name, column) => [name, cells[column]]));
    const problem = cells.length === heading.length ? take(row) : "damaged";
    if (problem) problems.push(`row ${number + 2}: ${problem}`);
    else taken += 1;
  });
  showLabels();
  const left = problems.length ? `\n${problems.length} rows were left out:\n${problems.slice(0, 10).join("\n")}` : "";
  return say(`Imported ${taken} labels.${left}`);
}

function take(row) {
  const value = Object.keys(VALUES).find((key) => VALUES[key] === row.satisfied.trim());
  if (!known.has(row.rollout)) return `conversation "${row.rollout}" is not in this kit`;
  if (!kit.stages.includes(row.stage)) return `there is no stage "${row.stage}"`;
  if (!value) return `"${row.satisfied}" is none of 1, 0 and nothing`;
  if (!row.rater.trim() || row.rater.trim() !== (state.rater || row.rater.trim())) return `it is of rater "${row.rater}"`;
  const mine = labelOf(row.rollout, row.stage);
  if (mine && (mine.label !== value || mine.note !== row.note)) return "your label here is another one and stays";
  setRater(row.rater);
  setLabel(row.rollout, row.stage, { label: value, note: row.note });
  return "";
}

// --- keys and buttons ---------------------------------------------------------------------------------

const KEYS = {
  ArrowRight: () => go(at + 1),
  j: () => go(at + 1),
  ArrowLeft: () => go(at - 1),
  k: () => go(at - 1),
  y: () => label(stage, "y"),
  n: () => label(stage, "n"),
  u: () => label(stage, "u"),
  x: () => label(stage, ""),
  c: () => get(stage).querySelector("textarea").focus(),
  g: goToUnlabelled,
  e: exportCsv,
  "?": () => (get("guideline").open = !get("guideline").open),
};
kit.stages.forEach((name, number) => (KEYS[number + 1] = () => choose(name)));

function onKey(event) {
  const isText = event.target.matches("textarea, input[type=text]");
  if (event.key === "Escape" && isText) event.target.blur();
  const isRadioArrow = event.key.startsWith("Arrow") && event.target.matches("input[type=radio]");
  if (isText || isRadioArrow || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!get("shortcuts").checked || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

for (const name of kit.stages) {
  get(name).addEventListener("focusin", () => choose(name));
  for (const radio of get(name).querySelectorAll("input")) radio.addEventListener("change", () => label(name, radio.value));
  get(name).querySelector("textarea").addEventListener("input", (event) => note(name, event.target.value));
}
get("previous").addEventListener("click", () => go(at - 1));
get("next").addEventListener("click", () => go(at + 1));
get("unlabelled").addEventListener("click", goToUnlabelled);
get("export").addEventListener("click", exportCsv);
get("rater").addEventListener("input", (event) => setRater(event.target.value));
get("import").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) importCsv(await file.text());
  event.target.value = "";
});
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => go(shownInAddress()));
window.addEventListener("storage", () => {
  state = read(); // the kit is open in another window too
  showLabels();
});

get("guideline").open = !Object.keys(state.labels).length;
at = shownInAddress();
if (kit.rollouts.length) show();
else get("place").textContent = "There is no conversation in this kit";
