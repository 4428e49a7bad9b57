// The page of evalstats serve. What it knows of a server stands in `ask`; everything else only shows and collects.
const token = new URLSearchParams(location.search).get("token") ?? "";
const LARGEST = 256 * 2 ** 20;
const $ = (selector, root = document) => root.querySelector(selector);
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter(child => child !== null));
  return element;
};
// the words of the page, in its language: `{name}` in them stands for a value
const words = JSON.parse($("#words").textContent);
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const tell = (key, values = {}) => filled(words[key], values);
const plural = (n, key) => filled(words[key][n === 1 ? 0 : 1], { n: n.toLocaleString(words.language) });
const clone = id => document.getElementById(id).content.cloneNode(true);
const button = (text, onclick, properties = {}) => make("button", { type: "button", textContent: text, onclick, ...properties });

class Problem extends Error {
  constructor(error) { super(error.sentence); this.error = error; }
}

// one question with what was pasted or chosen; gives the answer, or a file
async function ask(question, content = [], signal = undefined) {
  const files = content.map(one => ({ name: one.name ?? null, size: one.blob.size }));
  const size = files.reduce((sum, one) => sum + one.size, 0);
  if (size > LARGEST) throw new Problem({ sentence: tell("problem.size", { size: Math.round(size / 2 ** 20), largest: LARGEST / 2 ** 20 }) });
  const body = new Blob([JSON.stringify({ ...question, files }), "\n", ...content.map(one => one.blob)]);
  let response, answer;
  try {
    response = await fetch("/ask", { method: "POST", body, signal, headers: { "X-Evalstats-Token": token } });
    if (response.headers.get("Content-Type") === "application/octet-stream")
      return { name: /filename="(.*)"/.exec(response.headers.get("Content-Disposition"))[1], blob: await response.blob() };
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ sentence: tell("problem.silent") });
  }
  if (answer.error) throw new Problem(answer.error);
  return answer.answer;
}

let quiet;
const say = text => {
  $("#says").textContent = text;
  clearTimeout(quiet);
  quiet = setTimeout(() => { $("#says").textContent = ""; }, 4000);
};
const bytes = size => (size < 1000 ? `${size} B` : size < 1e6 ? `${(size / 1e3).toFixed(0)} kB` : `${(size / 1e6).toFixed(1)} MB`);

const ROLES = ["dataset", "classifier", "score", "repeat", "fold", "instance", "y_true", "y_pred", "y_score", "question", "cluster", "stratum"];
const MAIN = {
  compare: ["metric", "control", "alpha"],
  "which-test": ["classifiers", "datasets", "folds", "repeats", "instances", "data", "metric"],
  plan: ["datasets", "instances", "folds", "repeats", "train", "test_size", "accuracy", "difference", "discordance", "correlation", "tie_rate", "classifiers", "effect", "alpha", "power"],
  audit: ["datasets", "test", "cd", "chi2", "f_statistic", "pvalue", "best", "different"],
};
// the fields of a plan that belong to one test; all others have datasets
const OF_TEST = {
  mcnemar: ["instances", "accuracy", "difference", "discordance", "correlation"], "corrected-t": ["folds", "repeats", "train", "test_size"],
  sign: ["datasets", "tie_rate"], "": ["datasets"],
};
const CORRECTIONS = [...ROLES, "control", "sheet", "rows", "header_rows", "delimiter"];
const TESTS = ["wilcoxon", "sign", "permutation", "paired-t", "corrected-t", "mcnemar", "friedman", "nemenyi", "bonferroni-dunn"];
const CLICKED = ["drop", "keep", "transpose", "higher_is_better", "lower_is_better"];
const PARTS = ["", "sentence", "methods", "scores", "ranks", "pairs", "figure"];

class View {
  constructor(section, fields, samples) {
    this.section = section;
    this.question = section.dataset.question;
    this.takesTable = this.question !== "plan";
    this.previews = this.question === "compare";
    this.files = [];
    this.chosen = { drop: [], keep: [] };
    this.inputs = {};
    this.optionOf = Object.fromEntries(fields.map(one => [one.name, one.option]));
    if (this.takesTable) this.addContent(samples.filter(one => (one.question === "audit") === (this.question === "audit")));
    this.addForm(fields);
  }

  // --- the table ---

  addContent(samples) {
    this.section.append(clone("content"));
    this.text = $("textarea", this.section);
    this.text.placeholder = tell(this.question === "audit" ? "table.ranks" : "table.scores");
    this.text.value = sessionStorage.getItem(`text-${this.question}`) ?? "";
    this.text.addEventListener("input", () => { this.files = []; this.forgetCorrections(); this.changed(300); });
    const chooser = $("input[type=file]", this.section);
    chooser.addEventListener("change", () => { this.take([...chooser.files]); chooser.value = ""; });
    $(".clear", this.section).addEventListener("click", () => { this.clear(); this.text.focus(); });
    for (const sample of samples) $(".samples", this.section).append(button(tell(`sample.${sample.name}`), () => this.trySample(sample.name, sample.options)));
    for (const radio of this.section.querySelectorAll(".direction input")) {
      radio.name = `direction-${this.question}`;
      radio.addEventListener("click", () => {
        delete this.chosen.higher_is_better;
        delete this.chosen.lower_is_better;
        this.chosen[radio.value] = true;
        this.changed(0);
      });
    }
  }

  async trySample(name, options) {
    try {
      const { text } = await ask({ ask: "sample", options: { name } });
      this.clear();
      this.text.value = text;
      this.forgetCorrections();
      for (const [field, value] of Object.entries(options)) this.set(field, value);
      this.changed(0);
      say(tell("say.example"));
    } catch (error) { this.fail(error); }
  }

  // what was said of one table is not true of another; a table is another where its first line is
  forgetCorrections(first = this.text.value.trimStart().split("\n")[0]) {
    if (first === this.first) return;
    this.first = first;
    this.chosen = { drop: [], keep: [] };
    for (const name of CORRECTIONS) if (this.inputs[name]) this.inputs[name].value = "";
    for (const radio of this.section.querySelectorAll(".direction input")) radio.checked = false;
  }

  clear() {
    this.files = [];
    if (this.text) this.text.value = "";
    this.chosen = { drop: [], keep: [] };
    for (const input of Object.values(this.inputs)) input.type === "checkbox" ? (input.checked = false) : (input.value = "");
    for (const radio of this.section.querySelectorAll(".direction input")) radio.checked = false;
    this.changed(0);
  }

  take(files) {
    const readable = files.filter(file => file.size > 0 || file.type);
    if (!readable.length) {
      this.fail(new Problem({ sentence: files.length ? tell("problem.empty", { name: files[0].name }) : tell("problem.none") }));
      return;
    }
    this.files = readable;
    this.forgetCorrections(readable.map(file => file.name).join("/"));
    this.changed(0);
  }

  takeFrom(other) {
    this.text.value = other.text.value;
    this.files = other.files;
    this.changed(0);
    location.hash = `#${this.section.id}`;
  }

  content() {
    if (this.files.length) return this.files.map(file => ({ name: file.name, blob: file }));
    return this.text?.value.trim() ? [{ blob: new Blob([this.text.value]) }] : [];
  }

  // something of the table or the options is another: read it again, and say that the report is of before
  changed(wait) {
    if (this.text) {
      try { sessionStorage.setItem(`text-${this.question}`, this.text.value.length < 1e6 ? this.text.value : ""); } catch { /* no room */ }
      $(".clear", this.section).hidden = !this.content().length;
      $(".paste", this.section).hidden = this.files.length > 0;
      $(".files", this.section).replaceChildren(...this.files.map((file, i) => make("li", {}, `${file.name} (${bytes(file.size)})`,
        button(tell("table.remove"), () => { this.files.splice(i, 1); this.changed(0); }, { ariaLabel: tell("table.remove-file", { name: file.name }) }))));
    }
    $(".stale", this.section).hidden = false;
    if (!this.previews) return;
    clearTimeout(this.waiting);
    this.isNew = true;
    this.waiting = setTimeout(() => this.preview(), wait);
  }

  async preview() {
    clearTimeout(this.waiting);
    this.isNew = false;
    this.reading?.abort();
    this.reading = new AbortController();
    const content = this.content(), card = $(".seen", this.section);
    this.seen = null;
    if (!content.length) {
      card.hidden = true;
      this.problem();
      return;
    }
    try {
      this.seen = await ask({ ask: "preview", options: this.options() }, content, this.reading.signal);
      this.problem();
      const at = document.activeElement, isHere = card.contains(at);
      this.showPreview();
      if (isHere && !card.contains(document.activeElement))  // the button that was pressed is gone
        ([...card.querySelectorAll("button, select")].find(one => one.ariaLabel && one.ariaLabel === at.ariaLabel) ?? $(".understood", card)).focus();
    } catch (error) {
      if (error.name === "AbortError") return;
      card.hidden = true;
      this.fail(error, false);
    }
  }

  showPreview() {
    const seen = this.seen, card = $(".seen", this.section);
    card.hidden = false;
    const kind = seen.format ? tell("seen.format", { format: seen.format }) : tell(`layout.${seen.layout}`);
    const isOfBattles = seen.layout === "battles", row = isOfBattles ? "battle" : seen.layout === "answers" ? "benchmark" : "dataset";
    const size = tell(isOfBattles ? "seen.battles" : "seen.size", { rows: plural(seen.n_datasets, `count.${row}`), columns: plural(seen.n_classifiers, `count.${isOfBattles ? "model" : "classifier"}`) });
    const metric = seen.unit ? tell("seen.unit", { metric: seen.metric, unit: seen.unit }) : seen.metric;
    $(".understood", card).replaceChildren(make("b", { textContent: size }), ` ${tell("seen.kind", { metric, kind })}${seen.computation ? ` ${tell("seen.computation", { computation: seen.computation })}` : ""}`);
    const told = this.chosen.higher_is_better || this.chosen.lower_is_better;
    const asked = seen.is_asked && !told;
    const direction = $(".direction", card);
    direction.hidden = isOfBattles;
    direction.classList.toggle("asked", asked);
    $(".told", direction).textContent = asked ? tell("direction.asked", seen) : told ? tell("direction.told")
      : seen.is_assumed ? tell("direction.assumed", seen) : tell("direction.known");
    for (const radio of direction.querySelectorAll("input"))
      radio.checked = !asked && (radio.value === "higher_is_better") === seen.greater_is_better;
    this.showCorrections();
    this.showGrid();
    $(".findings", card).replaceChildren(...seen.findings.map(one => make("li", { className: one.severity, textContent: one.sentence })));
    this.suggest("control", seen.classifiers);
    say(tell(asked ? "say.asked" : "say.understood", { size }));
  }

  showCorrections() {
    const { seen, chosen } = this, parts = [];
    if (seen.layout === "wide" && !seen.format)
      parts.push(button(tell("seen.swap"), () => { chosen.transpose = !(chosen.transpose ?? seen.is_turned); this.changed(0); }));
    const chips = [
      ...chosen.drop.map(name => [tell("seen.dropped", { name }), tell("seen.put-back"), () => { chosen.drop = chosen.drop.filter(one => one !== name); }]),
      ...chosen.keep.map(name => [tell("seen.kept", { name }), tell("seen.leave-out"), () => { chosen.keep = chosen.keep.filter(one => one !== name); }]),
      ...seen.left_out.filter(one => !chosen.drop.includes(one.name)).map(one => [`${one.name} (${one.what}) ${one.reason}`, tell("seen.keep"), () => { chosen.keep.push(one.name); }]),
      ...seen.dropped.map(name => [tell("seen.missing", { name }), null, null]),
    ];
    parts.push(make("ul", { className: "chips", ariaLabel: tell("seen.left-out") }, ...chips.map(([text, verb, change]) =>
      make("li", {}, text, verb ? button(verb, () => { change(); this.changed(0); }, { ariaLabel: `${verb}: ${text}` }) : null))));
    $(".corrections", this.section).replaceChildren(...parts);
  }

  showGrid() {
    const { seen, chosen } = this, grid = $(".grid", this.section);
    const drop = name => button("×", () => { chosen.drop.push(name); this.changed(0); }, { title: tell("seen.leave-out-name", { name }), ariaLabel: tell("seen.leave-out-name", { name }) });
    const can = !seen.format && (seen.layout === "wide" || seen.layout === "long");
    const head = make("tr", {}, make("th", { scope: "col", className: "t", textContent: tell({ answers: "role.stratum", battles: "seen.model" }[seen.layout] ?? "role.dataset") }),
      ...seen.classifiers.map(name => make("th", { scope: "col" }, name, can && seen.n_classifiers > 2 ? drop(name) : null)));
    const rows = seen.scores.map((row, i) => make("tr", {},
      make("th", { scope: "row" }, can && seen.n_datasets > 1 ? drop(seen.datasets[i]) : null, seen.datasets[i]), ...row.map(cell => make("td", { textContent: cell }))));
    const more = [seen.layout === "battles" ? 0 : seen.n_datasets - rows.length, seen.n_classifiers - seen.classifiers.length];
    const table = make("table", {}, make("caption", { className: "caption", textContent: tell(seen.layout === "battles" ? "seen.wins" : "seen.scores") }), make("thead", {}, head), make("tbody", {}, ...rows));
    const scroll = make("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: tell("seen.region") }, table);
    const columns = seen.columns.map(({ name, role, roles }) => {
      const select = make("select", {}, make("option", { value: "", textContent: tell("role.none") }), ...roles.map(one => make("option", { value: one, textContent: tell(`role.${one}`) })));
      select.value = role;
      select.addEventListener("change", () => {
        for (const one of roles) if (this.inputs[one]?.value === name) this.set(one, "");
        if (select.value) this.set(select.value, name);
        this.changed(0);
      });
      return make("label", {}, make("span", { textContent: name }), select);
    });
    grid.replaceChildren(...(columns.length ? [make("fieldset", {}, make("legend", { className: "hint", textContent: tell("role.title") }), make("div", { className: "roles" }, ...columns))] : []),
      scroll, ...(more.some(n => n > 0) ? [make("p", { className: "hint", textContent: tell("seen.more", { rows: plural(more[0], "count.more-datasets"), columns: plural(more[1], "count.more-classifiers") }) })] : []));
  }

  // --- the form ---

  addForm(fields) {
    this.section.append(clone("form"));
    this.taking = $(".take", this.section);
    const form = $("form", this.section);
    $(".main", form).textContent = tell(`nav.${this.question}`);
    const main = $(".fields", form), groups = new Map();
    if (this.question === "plan") {
      const select = make("select", {}, ...TESTS.map(name => make("option", { value: name, textContent: name })));
      this.inputs.test = select;
      select.addEventListener("change", () => this.showFieldsOf(select.value));
      main.append(make("label", {}, tell("form.test"), select));
    }
    const shown = fields.filter(one => !one.is_download && !CLICKED.includes(one.name));
    for (const one of [...MAIN[this.question].flatMap(name => shown.filter(field => field.name === name)), ...shown.filter(field => !MAIN[this.question].includes(field.name))]) {
      let place = main;
      if (!MAIN[this.question].includes(one.name)) {
        if (!groups.has(one.heading)) {
          const inside = make("div", { className: "fields" });
          $(".more", form).append(make("details", {}, make("summary", { textContent: tell(`heading.${one.heading}`) }), inside));
          groups.set(one.heading, inside);
        }
        place = groups.get(one.heading);
      }
      place.append(this.field(one));
    }
    if (this.question === "audit") this.addDirection(main);
    if (this.question === "plan") this.showFieldsOf(TESTS[0]);
    form.addEventListener("submit", event => { event.preventDefault(); this.run(); });
    this.section.addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run(); });
    form.addEventListener("input", () => this.changed(400));
  }

  showFieldsOf(test) {
    const mine = OF_TEST[test] ?? OF_TEST[""];
    for (const name of new Set(Object.values(OF_TEST).flat())) {
      const input = this.inputs[name], isMine = mine.includes(name);
      input.closest("label").hidden = !isMine;
      if (!isMine) input.value = "";
    }
  }

  addDirection(main) {
    const select = make("select", {}, ...[["", "metric"], ["higher_is_better", "higher"], ["lower_is_better", "lower"]].map(([value, key]) => make("option", { value, textContent: tell(`audit.${key}`) })));
    select.addEventListener("change", () => {
      delete this.chosen.higher_is_better;
      delete this.chosen.lower_is_better;
      if (select.value) this.chosen[select.value] = true;
    });
    main.append(make("label", {}, tell("audit.better"), select));
  }

  field(one) {
    const code = make("code", { textContent: one.option }), label = words[`field.${this.question}.${one.name}`] ?? tell(`field.${one.name}`);
    let input;
    if (one.kind === "flag") {
      input = make("input", { type: "checkbox" });
      this.inputs[one.name] = input;
      return make("label", { className: "tick" }, input, make("span", {}, label, " ", code));
    }
    const choices = one.kind === "either" ? ["yes", "no"] : one.choices;
    if (choices.length) {
      input = make("select", {}, make("option", { value: "", textContent: one.kind === "either" ? tell("field.open") : one.initial || tell("field.automatic") }), ...choices.filter(word => word !== "auto" && word !== one.initial).map(word => make("option", { value: word, textContent: one.kind === "either" ? tell(`field.${word}`) : word })));
    } else {
      input = make("input", { type: "text", autocomplete: "off", spellcheck: false, inputMode: one.kind === "number" ? "numeric" : "text", placeholder: words[`hint.${one.kind}`] ?? "" });
    }
    input.dataset.kind = one.kind;
    if (one.initial) input.placeholder = one.initial;
    this.inputs[one.name] = input;
    return make("label", {}, label, " ", code, input);
  }

  suggest(name, words) {
    const input = this.inputs[name];
    if (!input) return;
    const id = `words-${this.question}-${name}`;
    document.getElementById(id)?.remove();
    this.section.append(make("datalist", { id }, ...words.map(value => make("option", { value }))));
    input.setAttribute("list", id);
  }

  set(name, value) {
    const input = this.inputs[name];
    if (!input) {
      if (CLICKED.includes(name)) this.chosen[name] = Array.isArray(this.chosen[name]) ? [...this.chosen[name], value] : value === "" ? true : value !== "False";
      return;
    }
    input.type === "checkbox" ? (input.checked = Boolean(value)) : (input.value = value);
    input.closest("details")?.setAttribute("open", "");
  }

  options() {
    const options = {};
    for (const [name, input] of Object.entries(this.inputs)) {
      const { kind } = input.dataset, value = input.type === "checkbox" ? input.checked : input.value;
      const several = () => value.split(";").map(part => part.trim()).filter(Boolean);
      if (value === "" || value === false) continue;
      options[name] = kind === "either" ? value === "yes" : kind === "pairs" ? several().map(pair => pair.split(",").map(part => part.trim()))
        : kind === "names" || kind === "numbers" ? several() : name === "delimiter" || value === true ? value : value.trim();
    }
    for (const [name, value] of Object.entries(this.chosen)) if (!Array.isArray(value) || value.length) options[name] = value;
    return options;
  }

  // --- the answer ---

  async run() {
    const content = this.content();
    if (this.takesTable && this.question !== "which-test" && !content.length) {
      this.fail(new Problem({ sentence: tell("problem.no-table"), sample: this.text.placeholder }));
      return;
    }
    if (this.isNew) await this.preview();  // what was understood must be of what stands here now
    const asked = $(".direction.asked", this.section);
    if (this.seen && asked) {
      $("input", asked).focus();
      say(tell("say.direction", this.seen));
      return;
    }
    const go = $(".main", this.section), options = this.options();
    go.disabled = true;
    $(".busy", this.section).hidden = false;
    try {
      const page = await ask({ ask: this.question, options }, content);
      this.problem();
      this.showReport(page, options, content);
    } catch (error) { this.fail(error); } finally {
      go.disabled = false;
      $(".busy", this.section).hidden = true;
    }
  }

  showReport(page, options, content) {
    const result = $(".result", this.section), article = $("article", result);
    for (const other of views.values()) other.forget();  // ids are those of one report
    article.innerHTML = page.body;  // every name in it is escaped, and no script of it would run
    window.enhance(article);
    (article.querySelector(".verdict + .copy") ?? $(".verdict", article)).after(this.taking);
    result.hidden = false;
    $(".stale", result).hidden = true;
    $(".same code", result).textContent = page.command;
    $(".warnings", result).replaceChildren(...page.warnings.map(textContent => make("li", { textContent })));
    $(".shown", result).replaceChildren();
    const file = (kind, more = {}) => ask({ ask: "download", question: this.question, kind, options: { ...options, ...more } }, content);
    this.showTaking(page, file);
    result.focus({ preventScroll: true });
    result.scrollIntoView({ block: "start" });
    say(tell("say.ready"));
  }

  forget() {
    $(".result", this.section).append(this.taking);
    $("article", this.section).replaceChildren();
    $(".result", this.section).hidden = true;
  }

  showTaking(page, file) {
    const result = $(".result", this.section), isComparison = this.question === "compare";
    const row = (name, label, ...parts) => $(`.${name}`, result).replaceChildren(make("span", { textContent: label }), ...parts);
    const copy = (text, kind, more) => button(text, event => this.copy(file(kind, more), event.target));
    const save = (text, kind, more) => button(text, () => this.save(file(kind, more())), { ariaLabel: tell("take.download-file", { text }) });
    const part = make("select", { ariaLabel: tell("take.part") }, ...PARTS.map(value => make("option", { value, textContent: tell(`part.${value}`) })));
    const ofPart = kind => () => (part.value && kind !== "json" && kind !== "r" ? { part: part.value } : {});
    const hasParts = isComparison && page.formats.includes("r");
    row("copies", tell("take.copy"), ...(hasParts ? [copy(tell("take.sentence"), "text", { part: "sentence" }), copy(tell("take.methods"), "text", { part: "methods" })] : []),
      copy(tell("format.latex"), "latex"), ...(isComparison ? [copy(tell("format.bib"), "bib")] : []), ...(page.formats.includes("r") ? [copy(tell("format.r"), "r")] : []), copy(tell("format.markdown"), "markdown"),
      button(tell("take.line"), event => this.copy(Promise.resolve({ blob: new Blob([page.command]) }), event.target)));
    row("downloads", tell("take.download"), ...(hasParts ? [part] : []), ...page.formats.map(kind => save(tell(`format.${kind}`), kind, ofPart(kind))), ...(isComparison ? [save(tell("format.bib"), "bib", () => ({}))] : []));
    $(".pictures", result).replaceChildren();
    if (!page.pictures.length) return;
    const picture = make("select", { ariaLabel: tell("take.which") }, ...page.pictures.map(name => make("option", { value: name, textContent: tell(`picture.${name}`) })));
    const which = () => (picture.selectedIndex ? { plot_kind: picture.value } : {});
    row("pictures", tell("take.picture"), picture, button(tell("take.show"), () => this.showPicture(file("png", { ...which(), dpi: 150 }), picture.value)), ...["svg", "pdf", "png"].map(kind => save(kind.toUpperCase(), kind, which)));
  }

  async save(made) {
    try {
      const { name, blob } = await made;
      const link = make("a", { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      say(tell("say.downloaded", { name, size: bytes(blob.size) }));
    } catch (error) { this.fail(error); }
  }

  async copy(made, from) {
    const text = from.textContent;
    try {
      const content = made.then(({ blob }) => blob.text());
      try {
        await navigator.clipboard.write([new ClipboardItem({ "text/plain": content.then(one => new Blob([one], { type: "text/plain" })) })]);
      } catch {
        const area = make("textarea", { value: await content, readOnly: true, rows: 8, ariaLabel: tell("take.to-copy", { text }) });
        $(".shown", this.section).replaceChildren(area);
        area.select();
        if (!document.execCommand("copy")) { say(tell("say.selected")); return; }
      }
      say(tell("say.copied", { text }));
    } catch (error) { this.fail(error); }
  }

  async showPicture(made, name) {
    try {
      const { blob } = await made;
      $(".shown", this.section).replaceChildren(make("img", { src: URL.createObjectURL(blob), alt: tell("take.alt", { name: tell(`picture.${name}`) }) }));
    } catch (error) { this.fail(error); }
  }

  problem(...parts) { $(".problem", this.section).replaceChildren(...parts); }

  fail(error, focus = true) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Problem)) throw error;
    const { sentence, field, value, sample } = error.error;
    const parts = [make("p", { textContent: sentence })];
    const ways = field === "higher_is_better" ? ["higher_is_better", "lower_is_better"] : field && (value || CLICKED.includes(field)) ? [field] : [];
    if (this.takesTable)
      parts.push(...ways.map(way => button(tell("problem.use", { option: this.optionOf[way] ?? way, value }), () => { this.set(way, value); this.changed(0); this.text.focus(); })));
    if (this.question === "compare" && sentence.includes("evalstats audit")) parts.push(button(tell("problem.audit"), () => views.get("audit").takeFrom(this)));
    if (sample) parts.push(make("p", { className: "small", textContent: tell("problem.sample") }), make("pre", { tabIndex: 0, role: "region", ariaLabel: tell("problem.region"), textContent: sample }));
    this.problem(...parts);
    if (focus) $(".problem", this.section).focus();
  }
}

const views = new Map();
const show = () => {
  const sections = [...document.querySelectorAll(".view")];
  const wanted = sections.find(one => `#${one.id}` === location.hash);
  if (!wanted && location.hash) return;  // a link inside a report
  const section = wanted ?? sections[0];
  for (const one of sections) one.hidden = one !== section;
  for (const link of document.querySelectorAll("nav a")) link.hash === `#${section.id}` ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  document.title = `evalstats: ${section.getAttribute("aria-label")}`;
  if (section.id === "formats" && !$("#format-list").childElementCount) showFormats();
};
const current = () => [...views.values()].find(view => !view.section.hidden && view.takesTable) ?? views.get("compare");

async function showFormats() {
  try {
    const formats = await ask({ ask: "formats" });
    $("#format-list").replaceChildren(...formats.map(one => make("details", { className: "format" }, make("summary", { textContent: one.title }),
      make("p", { textContent: one.description }), make("pre", { tabIndex: 0, role: "region", ariaLabel: tell("formats.sample", one), textContent: one.example }),
      button(tell("formats.try"), () => { location.hash = "#compare"; views.get("compare").trySample(`format:${one.name}`, {}); }))));
  } catch (error) { $("#format-list").replaceChildren(make("p", { textContent: error.message })); }
}

addEventListener("hashchange", () => { show(); scrollTo(0, 0); });
for (const kind of ["dragover", "dragleave", "drop"])
  addEventListener(kind, event => {
    event.preventDefault();
    document.body.classList.toggle("dropping", kind === "dragover");
    if (kind !== "drop") return;
    const view = current(), entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry?.());
    location.hash = `#${view.section.id}`;
    const folder = entries.find(entry => entry?.isDirectory);
    if (folder) view.fail(new Problem({ sentence: tell("problem.folder", folder) }));
    else if (event.dataTransfer.files.length) view.take([...event.dataTransfer.files]);
    else {
      view.text.value = event.dataTransfer.getData("text");
      view.files = [];
      view.changed(0);
    }
  });

show();
try {
  const start = await ask({ ask: "start", options: { language: words.language } });
  Object.assign(words, start.words);
  for (const section of document.querySelectorAll("[data-question]"))
    views.set(section.dataset.question, new View(section, start.forms[section.dataset.question], start.samples));
  document.body.dataset.ready = start.version;
  for (const view of views.values()) if (view.content().length) view.changed(0);
} catch (error) {
  $("#compare").append(make("p", { className: "problem", role: "alert", textContent: error.message }));
}
