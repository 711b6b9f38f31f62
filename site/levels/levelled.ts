import { type Html, html } from "../../src/report/html/html.js";
import { formatRanges, includesLevel, isEveryLevel, type LevelRange, rangesWhere } from "./level-ranges.js";
import type { LevelViews } from "./level-views.js";

/** The form of a page element at one level. */
export interface Piece {
  /** Unique in its list. Pieces with the same key are forms of one thing at different levels. */
  readonly key: string;
  readonly content: Html;
}

/** The forms of a piece, each with its levels. */
export interface LevelledPiece {
  readonly key: string;
  readonly forms: readonly { readonly content: Html; readonly ranges: readonly LevelRange[] }[];
}

/** Describes something at each level, and merges the levels at which a piece is the same. */
export function mergeLevels(views: LevelViews, describe: (level: number) => readonly Piece[]): LevelledPiece[] {
  const lists = new Map(views.levels.map((level) => [level, describe(level)]));
  const keys: string[] = [];
  for (const level of [...views.levels].reverse()) {
    let after = -1;
    for (const { key } of lists.get(level) ?? []) {
      const index = keys.indexOf(key);
      if (index === -1) keys.splice(++after, 0, key);
      else after = index;
    }
  }
  const found = new Map(
    [...lists].map(([level, pieces]) => [level, new Map(pieces.map(({ key, content }) => [key, content.markup]))]),
  );
  return keys.map((key) => {
    const markups = new Set([...found.values()].flatMap((pieces) => pieces.get(key) ?? []));
    const forms = [...markups].map((markup) => ({
      content: { markup },
      ranges: rangesWhere(views.levels, (level) => found.get(level)?.get(key) === markup),
    }));
    return { key, forms };
  });
}

/** The levels at which a piece exists in any form. */
export function rangesOf(views: LevelViews, pieces: readonly LevelledPiece[]): LevelRange[] {
  const ranges = pieces.flatMap(({ forms }) => forms.flatMap((form) => form.ranges));
  return rangesWhere(views.levels, (level) => includesLevel(ranges, level));
}

/**
 * The attributes of an element that exists at some levels only. Without a script, the elements of the newest level are visible. If several
 * forms have one id, the visible one gets it, or else the last; a script moves it when the level changes.
 */
export function levelAttributes(views: LevelViews, ranges: readonly LevelRange[], id?: string, isLast = true): Html {
  const isVisible = includesLevel(ranges, views.newest);
  const own = id === undefined ? "" : isVisible || isLast ? html` id="${id}"` : html` data-id="${id}"`;
  if (isEveryLevel(ranges)) return html`${own}`;
  return html`${own} data-levels="${formatRanges(ranges)}"${isVisible ? "" : { markup: " hidden" }}`;
}

/** How to render the forms of pieces. */
export interface ElementForm {
  readonly tag: string;
  readonly className?: string;
  /** The id of the element of a piece. Defaults to none. */
  readonly idOf?: (key: string) => string;
}

/** Renders each form of each piece as an element. */
export function renderPieces(views: LevelViews, pieces: readonly LevelledPiece[], element: ElementForm): Html[] {
  const { tag, className, idOf } = element;
  const kind = className === undefined ? html`` : html` class="${className}"`;
  return pieces.flatMap(({ key, forms }) => {
    const isVisible = forms.some(({ ranges }) => includesLevel(ranges, views.newest));
    return forms.map(({ content, ranges }, index) => {
      const isLast = !isVisible && index === forms.length - 1;
      return html`<${{ markup: tag }}${kind}${levelAttributes(views, ranges, idOf?.(key), isLast)}>${content}</${{ markup: tag }}>\n`;
    });
  });
}
