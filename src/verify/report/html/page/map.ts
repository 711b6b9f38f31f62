import { all, byId, data } from "./dom.js";

const cells = all<HTMLAnchorElement>("#map .cell");
const status = byId("map-status");

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
  const show = (event: Event) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("#map .cell") : null;
    if (cell === null || status === null) return;
    const check = data.checks[Number(cell.dataset.check)];
    status.textContent = `${cell.ariaLabel ?? ""}. ${check?.summary.replaceAll("`", "") ?? ""}`;
  };
  const map = byId("map");
  map?.addEventListener("mouseover", show);
  map?.addEventListener("focusin", show);
}

/** Puts one cell into the tab order; the arrow keys move from there. */
function setTabStop(cell: HTMLAnchorElement | undefined): void {
  const stop = cell !== undefined && isLit(cell) ? cell : cells.find(isLit);
  for (const other of cells) other.tabIndex = other === stop ? 0 : -1;
}

function isLit(cell: HTMLAnchorElement): boolean {
  return !cell.classList.contains("dim");
}

function neighbour(cell: HTMLAnchorElement, key: string): HTMLAnchorElement | undefined {
  const lit = cells.filter(isLit);
  const index = lit.indexOf(cell);
  const row = rowOf(cell, lit);
  const sameColumn = (other: HTMLAnchorElement | undefined) => {
    if (other === undefined) return undefined;
    const target = rowOf(other, lit);
    return target[Math.min(row.indexOf(cell), target.length - 1)];
  };
  switch (key) {
    case "ArrowRight":
      return lit[index + 1];
    case "ArrowLeft":
      return lit[index - 1];
    case "ArrowDown":
      return sameColumn(lit.slice(index).find((other) => !row.includes(other)));
    case "ArrowUp":
      return sameColumn(lit.slice(0, Math.max(index, 0)).findLast((other) => !row.includes(other)));
    case "Home":
      return row[0];
    case "End":
      return row.at(-1);
    default:
      return undefined;
  }
}

function rowOf(cell: HTMLAnchorElement, lit: readonly HTMLAnchorElement[]): HTMLAnchorElement[] {
  return lit.filter((other) => other.closest("tr") === cell.closest("tr"));
}
