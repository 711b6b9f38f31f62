import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { channelLinkOf, channelLinkText } from "./channel-links.js";
import { renderStateOf } from "./render-state.js";
import { builtInInlineRule } from "./restrictions.js";
import { isExternalUrl, isLinkableUrl, linkRel } from "./safe-url.js";

/** Maximum length of a linked URL, in UTF-16 code units; a longer one stays text. */
const maxUrlLength = 2000;
const maxRefusedAddresses = 100;

/** The target of a link's opening token. */
export function hrefOf(token: Token): string {
  return String(token.attrGet("href") ?? "");
}

function guard(open: Token): void {
  open.attrSet("rel", linkRel);
  if (isExternalUrl(hrefOf(open))) open.attrSet("target", "_blank");
}

function restrictLinks(tokens: readonly Token[], state: StateCore): Token[] {
  const text = (content: string): Token => Object.assign(new state.Token("text", "", 0), { content });
  const result: Token[] = [];
  // The replacement of the closing token of each open link.
  const closings: (Token | "kept" | undefined)[] = [];
  for (const token of tokens) {
    const nested = closings.includes("kept");
    const channel = channelLinkOf(token);
    if (token.type === "link_close") {
      const closing = closings.pop();
      if (closing !== undefined) result.push(closing === "kept" ? token : closing);
    } else if (token.type !== "link_open") {
      result.push(channel && nested ? text(channelLinkText(channel)) : token);
    } else if (nested) {
      closings.push(undefined);
    } else if (hrefOf(token) === "") {
      // Other refused addresses never became links.
      result.push(text("["));
      closings.push(text("]()"));
    } else {
      guard(token);
      result.push(token);
      closings.push("kept");
    }
  }
  return result;
}

/**
 * A markdown-it plugin that restricts links to those of `isLinkableUrl`. Its core rule comes after those that create links.
 * Removes nested links, sets `rel` on all links and `target` on external ones. Refused links stay text.
 */
export function safeLinks(md: MarkdownIt): void {
  const normalize = md.normalizeLink.bind(md);
  md.normalizeLink = (url) => (url.length > maxUrlLength ? "" : normalize(url));
  md.validateLink = isLinkableUrl;
  for (const schema of ["ftp:", "//"]) md.linkify.add(schema, null);
  md.linkify.set({ maxLength: maxUrlLength });
  const address = builtInInlineRule("linkify");
  // The parser tries a refused address again from its next "://", so it stops after a maximum number of refused ones.
  md.inline.ruler.at("linkify", (inline, silent) => {
    if (!inline.src.startsWith("://", inline.pos)) return false;
    const state = renderStateOf(inline.env);
    if (state.refusedAddresses >= maxRefusedAddresses) return false;
    const found = address(inline, silent);
    if (!found) state.refusedAddresses++;
    return found;
  });
  md.core.ruler.push("safe_links", (state) => {
    for (const token of state.tokens) {
      if (token.children) token.children = restrictLinks(token.children, state);
    }
  });
}
