"use strict";
const number = text => {
  const plain = text.trim().replace(/\u2212/g, "-").replace(/\u00a0/g, " ").replace(/ ?\u00d7 ?10/, "e").replace(/^[<>] ?/, "");
  const found = /^[+-]?[\d.]+(e-?\d+)?/.exec(plain);
  return found ? parseFloat(found[0]) : NaN;
};
const order = (a, b) => {
  const [x, y] = [number(a), number(b)];
  return isNaN(x) && isNaN(y) ? a.localeCompare(b) : isNaN(x) ? 1 : isNaN(y) ? -1 : x - y;
};
const copy = async (button, source) => {
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    source.closest("details")?.setAttribute("open", "");
    getSelection().selectAllChildren(source);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
};
// what a report can do, on the whole page or in an element of another page
function enhance(root) {
  // tables are sorted by the heads of their columns
  for (const table of root.querySelectorAll("table")) {
    const body = table.tBodies[0], rows = [...body.rows];
    if (rows.length < 3) continue;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const text = row => row.cells[column].textContent;
        body.append(...[...rows].sort((a, b) => (up ? 1 : -1) * order(text(a), text(b))));
      });
    });
  }
  // who points at a classifier sees from whom it is not shown to differ
  for (const picture of root.querySelectorAll("svg.diagram:not(.list)")) {
    const parts = [...picture.querySelectorAll("[data-of]")].map(part => [part, part.dataset.of.split(" ")]);
    const show = who => {
      const near = new Set(who === null ? [] : [who]);
      for (const [, of] of parts) if (of.length > 1 && of.includes(who)) of.forEach(one => near.add(one));
      for (const [part, of] of parts) {
        const isNear = of.length > 1 ? of.includes(who) : part.matches(".fold, .spoke") ? of[0] === who : near.has(of[0]);
        part.classList.toggle("dim", who !== null && !isNear);
      }
    };
    for (const [part, of] of parts.filter(([, of]) => of.length === 1)) {
      part.addEventListener("pointerenter", () => show(of[0]));
      part.addEventListener("pointerleave", () => show(null));
      if (part.matches(".name, .control")) {
        part.setAttribute("tabindex", "0");
        part.addEventListener("focus", () => show(of[0]));
        part.addEventListener("blur", () => show(null));
      }
    }
  }
  // what may be wanted elsewhere can be copied
  for (const source of root.querySelectorAll(".verdict, pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(button, source));
    source.before(button);
    if (source.matches(".verdict")) source.after(button);
  }
}
enhance(document);
