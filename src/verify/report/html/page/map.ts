import { all, byId } from "./dom.js";

const map = byId("map");
const cells = all<HTMLAnchorElement>("#map .cell");
const status = byId("map-status");
const summaries = all("#checks .id + p");

/** Clears the status line, whose check may be filtered away now, and keeps the map reachable by the Tab key. */
export function refreshMap(): void {
  if (status !== null) status.textContent = "";
  setTabStop(cells.find((cell) => cell.tabIndex === 0));
}

/** Moves the focus in the map. Returns whether it handled the key. */
export function moveByKey(cell: HTMLAnchorElement, key: string): boolean {
  const next = neighbour(cell, key);
  if (next === undefined) return false;
  setTabStop(next);
  next.focus();
  return true;
}

/** Shows the name and the summary of the check under the pointer or the focus. */
export function showStatusOfCells(): void {
  const show = ({ target }: Event) => {
    const cell = target instanceof Element ? target.closest<HTMLAnchorElement>(".cell") : null;
    if (cell === null || status === null) return;
    status.textContent = `${cell.ariaLabel ?? ""}. ${summaries[Number(cell.dataset.check)]?.textContent ?? ""}`;
  };
  for (const event of ["mouseover", "focusin"]) map?.addEventListener(event, show);
}

/** Puts one cell into the tab order; the arrow keys move from there. */
function setTabStop(cell: HTMLAnchorElement | undefined): void {
  const isLit = (one: HTMLAnchorElement) => !one.classList.contains("dim");
  const stop = cell !== undefined && isLit(cell) ? cell : cells.find(isLit);
  for (const other of cells) other.tabIndex = other === stop ? 0 : -1;
}

function neighbour(cell: HTMLAnchorElement, key: string): HTMLAnchorElement | undefined {
  const rows = all("#map tr").map((row) => all<HTMLAnchorElement>(".cell:not(.dim)", row));
  const lit = rows.flat();
  const filled = rows.filter(({ length }) => length > 0);
  const [at, line] = [lit.indexOf(cell), filled.findIndex((row) => row.includes(cell))];
  const row = filled[line] ?? [];
  const sameColumn = (other: readonly HTMLAnchorElement[] = []) => other[Math.min(row.indexOf(cell), other.length - 1)];
  switch (key) {
    case "ArrowRight":
      return lit[at + 1];
    case "ArrowLeft":
      return lit[at - 1];
    case "ArrowDown":
      return sameColumn(filled[line + 1]);
    case "ArrowUp":
      return sameColumn(filled[line - 1]);
    case "Home":
      return row[0];
    case "End":
      return row.at(-1);
    default:
      return undefined;
  }
}
