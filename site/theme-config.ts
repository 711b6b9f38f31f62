import type { DefaultTheme } from "vitepress";
import type { LevelRange } from "./levels/level-ranges.js";

/** The configuration of the theme, with what the level slider needs. */
export interface SiteThemeConfig extends DefaultTheme.Config {
  /** Level 0 and the levels that change something, in ascending order. */
  readonly levels: readonly number[];
  /** Pages that only some levels have, by their paths below the root of the site. */
  readonly levelledPages: Readonly<Record<string, readonly LevelRange[]>>;
}
