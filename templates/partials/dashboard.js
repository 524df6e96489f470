"use strict";
// Sorting, search and filters over the rows that are already in the page; without it the table is all there.
(() => {
  const table = document.getElementById("everyone");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const rule = document.getElementById("rule");
  const showing = document.getElementById("showing");

  function filter() {
    const words = search.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const of = row.dataset;
      const named = !words || of.name.includes(words) || of.key.includes(words);
      const fits = !status.value || of.status === status.value || (status.value === "look" && of.look !== "") || (status.value === "late" && of.late === "yes");
      const breaks = !rule.value || of.rules.split(" ").includes(rule.value);
      row.hidden = !(named && fits && breaks);
      shown += row.hidden ? 0 : 1;
    }
    showing.textContent = "showing " + shown + " of " + rows.length;
  }

  function sort(heading, by) {
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const compare = by === "percent"
      ? (a, b) => a.dataset.percent - b.dataset.percent
      : (a, b) => a.dataset[by].localeCompare(b.dataset[by]);
    rows.sort((a, b) => (down ? -1 : 1) * compare(a, b) || a.dataset.key.localeCompare(b.dataset.key));
    body.append(...rows);
  }

  for (const heading of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    button.addEventListener("click", () => sort(heading, heading.dataset.by));
    heading.replaceChildren(button);
  }
  for (const button of document.querySelectorAll("button[data-rule]")) {
    button.addEventListener("click", () => {
      rule.value = button.dataset.rule;
      filter();
      table.scrollIntoView();
    });
  }
  search.addEventListener("input", filter);
  status.addEventListener("change", filter);
  rule.addEventListener("change", filter);
  document.querySelector(".controls").hidden = false;
  filter();
})();
