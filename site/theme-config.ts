import type { DefaultTheme } from "vitepress";
import type { LevelRange } from "./levels/level-ranges.js";

/** The configuration of the theme, including the data of the level slider. */
export interface SiteThemeConfig extends DefaultTheme.Config {
  /** Level 0 and the levels that change something, in ascending order. */
  readonly levels: readonly number[];
  /** Pages that exist at some levels only, by their paths below the root of the site. */
  readonly levelledPages: Readonly<Record<string, readonly LevelRange[]>>;
}
