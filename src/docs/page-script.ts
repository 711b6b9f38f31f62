/** The script of the page: the search, and the unfolding of what a link leads to. */
export const docsScript = `
const form = document.querySelector("nav form"), input = form.querySelector("input"), count = form.querySelector("output");
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const entries = all(".entry").map((place) => ({ place, text: place.textContent.toLowerCase(), open: place.open, item: document.querySelector('[data-for="' + CSS.escape(place.id) + '"]') }));
const groups = all("[data-group]");
function find() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const { place, text, item } of entries) {
    const matches = words.every((word) => text.includes(word));
    if (matches) found++;
    place.hidden = item.hidden = !matches;
  }
  for (const group of groups) {
    group.hidden = all(":scope .entry:not([hidden]), :scope li:not([hidden])", group).length === 0;
    if (group.tagName === "DETAILS") group.open = words.length > 0;
  }
  count.textContent = words.length === 0 ? "" : found + " of " + entries.length;
}
function show() {
  let id = location.hash.slice(1);
  try { id = decodeURIComponent(id); } catch {}
  const target = document.getElementById(id);
  if (!target) return;
  if (target.closest("[hidden]")) { input.value = ""; find(); }
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView();
}
form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", find);
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && event.target.tagName !== "INPUT") { event.preventDefault(); input.focus(); }
  if (event.key === "Escape" && event.target === input) { input.value = ""; find(); }
});
if (matchMedia("(max-width: 800px)").matches) document.querySelector("nav > details").open = false;
find();
show();
`;
