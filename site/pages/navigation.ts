import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LevelRange } from "../levels/level-ranges.js";

/** The variable parts of the navigation. */
export interface Navigation {
  readonly operations: readonly { readonly operationId: string; readonly summary: string; readonly tag: string }[];
  /** Level 0 and the levels that change something. */
  readonly levels: readonly number[];
  /** Pages that exist at some levels only, by path. */
  readonly levelledPages: Readonly<Record<string, readonly LevelRange[]>>;
  /** The names of the RPCs, which are those of their pages. */
  readonly rpcs: readonly string[];
  /** The resources of the workflows. */
  readonly resources: readonly string[];
}

/** The file of the navigation, in the folder of the pages. */
export const navigationFile = "navigation.json";

/** Reads the navigation that `writePages` wrote. */
export function readNavigation(folder: string): Navigation {
  return JSON.parse(readFileSync(join(folder, navigationFile), "utf8"));
}
