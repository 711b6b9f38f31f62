import { includesLevel, type LevelRange, parseRanges } from "../levels/level-ranges.js";

/** Shows the parts of the page that exist at a level, and hides the others. */
export function applyLevel(root: ParentNode, level: number): void {
  const elements = [...root.querySelectorAll<HTMLElement>("[data-levels]")];
  for (const element of elements) element.hidden = !includesLevel(parseRanges(element.dataset.levels ?? ""), level);
  moveIds(elements);
}

/** Several elements may share an id. Gives it to the visible one, or to the last if all are hidden. */
function moveIds(elements: readonly HTMLElement[]): void {
  const owners = new Map<string, HTMLElement>();
  for (const element of elements) {
    const id = element.id || element.dataset.id;
    if (id === undefined || id === "") continue;
    const owner = owners.get(id);
    if (owner === undefined || owner.hidden) owners.set(id, element);
    element.removeAttribute("id");
    element.dataset.id = id;
  }
  for (const [id, element] of owners) element.id = id;
}

/** Returns CSS that hides links to pages and sections that do not exist at a level, in the sidebar and in the outline. */
export function styleForLevel(
  root: ParentNode,
  base: string,
  pages: Readonly<Record<string, readonly LevelRange[]>>,
  level: number,
): string {
  const missing = Object.entries(pages).filter(([, ranges]) => !includesLevel(ranges, level));
  const links = missing.map(([page]) => `.VPSidebarItem:has(> .item > a[href="${base}${page}"])`);
  const headings = [...root.querySelectorAll<HTMLElement>("[data-levels][hidden] :is(h2, h3)[id]")];
  const sections = headings.map(({ id }) => `.VPDocOutlineItem li:has(> a[href="#${CSS.escape(id)}"])`);
  const selectors = [...links, ...sections];
  return selectors.length === 0 ? "" : `${selectors.join(",\n")} { display: none }`;
}
