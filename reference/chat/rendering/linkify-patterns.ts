import type { MarkdownIt, StateCore, Token } from "markdown-it";
import type { CompiledLinkifier } from "./compile-linkifier.js";
import { renderStateOf } from "./render-state.js";
import { isLinkifierUrl } from "./safe-url.js";
import { beginsWithWord, endsInWord } from "./word-boundary.js";

/** Maximum linkifier links in one message; further matches stay text. */
export const maxLinkifierLinks = 100;
/** Maximum length of a linkifier's URL. */
const maxLinkifierUrlLength = 2000;
/** Maximum length of a linked text, in UTF-16 code units. */
const maxMatchLength = 200;
// Maximum work per message: characters to search times instructions, at worst some tens of milliseconds. Searches beyond it are
// skipped.
const maxWork = 4_000_000;
// Base cost of any pattern for each character, in instructions.
const baseCost = 30;
// A text is searched in parts, which grow while nothing is found.
const minPartLength = 300;
const maxPartLength = 2400;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

interface Budget {
  links: number;
  work: number;
}

/** The visible text before and after a text token. */
interface Surroundings {
  readonly before: string;
  readonly after: string;
}

function expand(
  { template, variables }: CompiledLinkifier,
  value: (group: string) => string | null,
): string | undefined {
  const values: Record<string, string> = Object.create(null);
  let length = 0;
  for (const name of variables) {
    const found = value(name);
    if (found === null) continue;
    values[name] = found;
    length += found.length;
  }
  // Checked before expanding: encoding only lengthens a value, and a template may repeat it hundreds of times.
  if (length > maxLinkifierUrlLength) return undefined;
  try {
    const url = template.expand(values);
    return url.length <= maxLinkifierUrlLength && isLinkifierUrl(url) ? url : undefined;
  } catch {
    // A prefix modifier can cut a character in two, which the library cannot encode.
    return undefined;
  }
}

function spend(budget: Budget, linkifier: CompiledLinkifier, length: number): boolean {
  const cost = length * (linkifier.regexp.programSize() + baseCost);
  if (cost > budget.work) return false;
  budget.work -= cost;
  return true;
}

/** The end of a part of a text, moved so that it does not split a character. */
function partEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(wanted - 1)) ? wanted + 1 : wanted;
}

function findAll(
  text: string,
  linkifier: CompiledLinkifier,
  around: Surroundings,
  taken: Range[],
  budget: Budget,
): void {
  let from = 0;
  let size = minPartLength;
  while (budget.links > 0 && from < text.length) {
    const next = text.indexOf(linkifier.prefix, from);
    if (next < 0) return;
    // The pattern also takes the character before the match.
    from = Math.max(from, next - 2);
    // Some patterns read their whole input before they settle for a short match.
    const partTo = partEnd(text, from + size);
    const matcher = linkifier.regexp.matcher(text.slice(0, partTo));
    if (!spend(budget, linkifier, partTo - from)) return;
    if (!matcher.find(from)) {
      from = partTo === text.length ? partTo : partTo - maxMatchLength;
      size = Math.min(size * 2, maxPartLength);
      continue;
    }
    // Reading the groups matches once more.
    if (!spend(budget, linkifier, partTo - matcher.start())) return;
    const [start, end] = [matcher.start(1), matcher.end(1)];
    size = minPartLength;
    if (end === partTo && partTo < text.length) {
      // The match may continue in the following text, so search again from its start, unless it is too long.
      from = start - from > 2 ? start - 2 : partTo;
      continue;
    }
    from = Math.max(from + 1, end);
    const overlapped = taken.find((range) => start < range.end && range.start < end);
    const alone = (start > 0 || !endsInWord(around.before)) && (end < text.length || !beginsWithWord(around.after));
    if (overlapped) {
      from = Math.max(from, overlapped.end);
    } else if (alone && start < end && end - start <= maxMatchLength) {
      const url = expand(linkifier, (group) => matcher.group(group));
      if (url !== undefined) {
        taken.push({ start, end, url });
        budget.links--;
      }
    }
  }
}

function linkTokens({ url, start, end }: Range, token: Token, state: StateCore): Token[] {
  const open = Object.assign(new state.Token("link_open", "a", 1), { level: token.level });
  open.attrs = [["href", url]];
  const text = textToken(token, token.content.slice(start, end), state);
  text.level++;
  const close = Object.assign(new state.Token("link_close", "a", -1), { level: token.level });
  return [open, text, close];
}

function textToken({ level }: Token, content: string, state: StateCore): Token {
  return Object.assign(new state.Token("text", "", 0), { level, content });
}

function linkified(token: Token, around: Surroundings, state: StateCore, budget: Budget): Token[] {
  const ranges: Range[] = [];
  for (const linkifier of renderStateOf(state.env).context.linkifiers) {
    findAll(token.content, linkifier, around, ranges, budget);
  }
  if (ranges.length === 0) return [token];
  const result: Token[] = [];
  let position = 0;
  for (const range of ranges.sort((one, other) => one.start - other.start)) {
    result.push(textToken(token, token.content.slice(position, range.start), state));
    result.push(...linkTokens(range, token, state));
    position = range.end;
  }
  result.push(textToken(token, token.content.slice(position), state));
  return result.filter(({ type, content }) => type !== "text" || content !== "");
}

function textOf(token: Token | undefined): string {
  return token?.type === "text" || token?.type === "text_special" ? token.content : "";
}

/**
 * A markdown-it plugin that links the matches of an organization's linkifiers, outside code and links. Earlier linkifiers take
 * precedence, matches do not overlap, and no letter, digit or underscore adjoins a match.
 */
export function linkifyPatterns(md: MarkdownIt): void {
  // Before text_join, while escaped characters are still separate tokens and so match nothing.
  md.core.ruler.before("text_join", "linkify_patterns", (state) => {
    if (renderStateOf(state.env).context.linkifiers.length === 0) return;
    const budget: Budget = { links: maxLinkifierLinks, work: maxWork };
    for (const { children } of state.tokens) {
      if (children === null) continue;
      let depth = 0;
      const result = children.flatMap((token, index) => {
        if (token.type === "link_open" || token.type === "link_close") depth += token.nesting;
        if (token.type !== "text" || depth > 0) return [token];
        const around = { before: textOf(children[index - 1]), after: textOf(children[index + 1]) };
        return linkified(token, around, state, budget);
      });
      children.splice(0, children.length, ...result);
    }
  });
}
