import type { MarkdownRenderer } from "vitepress";

/** Turns empty table headers into ordinary cells. */
export function withoutEmptyHeaders({ core }: MarkdownRenderer): void {
  core.ruler.push("empty-headers", ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      const [open, content, close] = tokens.slice(index, index + 3);
      if (type !== "th_open" || open === undefined || close === undefined || content?.content !== "") continue;
      open.tag = "td";
      close.tag = "td";
    }
  });
}
