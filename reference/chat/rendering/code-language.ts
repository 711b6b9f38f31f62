import type { MarkdownIt } from "markdown-it";

/** A markdown-it plugin that keeps the language of a code block only when it is a plain name. */
export function codeLanguage(md: MarkdownIt): void {
  md.core.ruler.push("code_language", (state) => {
    for (const token of state.tokens) {
      if (token.type === "fence") token.info = /^\s*([\w+#.-]{1,40})(?=\s|$)/.exec(token.info)?.[1] ?? "";
    }
  });
}
