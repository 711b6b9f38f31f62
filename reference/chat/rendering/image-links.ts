import type { MarkdownIt } from "markdown-it";
import { builtInInlineRule } from "./built-in-rule.js";

/**
 * A markdown-it plugin that reads `![alt](url)` as the link `[alt](url)`, so that showing a message loads nothing from
 * elsewhere. The link's token has `meta.image`; `safeLinks` shows an upload as an image.
 */
export function imageLinks(md: MarkdownIt): void {
  const link = builtInInlineRule("link");
  md.inline.ruler.at("image", (state, silent) => {
    if (!state.src.startsWith("![", state.pos)) return false;
    const start = state.pos;
    const tokensBefore = state.tokens.length;
    state.pos = start + 1;
    if (!link(state, silent)) {
      state.pos = start;
      return false;
    }
    const open = state.tokens.slice(tokensBefore).find(({ type }) => type === "link_open");
    if (open) open.meta = { ...open.meta, image: true };
    return true;
  });
}
