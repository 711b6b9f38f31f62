/** A part of a regular expression. `text` is as JavaScript reads it in Unicode mode. */
export type Token =
  | {
      readonly kind: "text" | "open" | "close" | "or" | "start" | "end" | "any" | "escape" | "class";
      readonly text: string;
    }
  | { readonly kind: "quantifier"; readonly text: string; readonly min: number; readonly max: number };

/** A pattern in parts. */
export interface Tokens {
  readonly tokens: readonly Token[];
  /** Flags that the pattern sets for itself, such as `i`. */
  readonly flags: string;
  /** Whether the pattern has what only other dialects have. */
  readonly isForeign: boolean;
}

/** Character classes of POSIX, which other dialects have within brackets. */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** Anchors of other dialects. The last is before a final line break as well. */
const anchors: Readonly<Record<string, readonly Token[]>> = {
  "\\A": [{ kind: "start", text: "^" }],
  "\\z": [{ kind: "end", text: "$" }],
  "\\Z": [
    { kind: "text", text: "\\n" },
    { kind: "quantifier", text: "?", min: 0, max: 1 },
    { kind: "end", text: "$" },
  ],
};

/** The parts of a pattern, each at the place where the last ended. */
const part =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|k<[^>]*>|[\s\S])|\((?:\?(?:P?<(?![=!])[^>]*>|P=[^)]*\)|<?[=!]|[:>]|[a-zA-Z-]+[:)])?)?|[*+?][?+]?|\{\d*(?:,\d*)?\}[?+]?|[)|^$.]|[\s\S]/uy;

/**
 * Reads a pattern into its parts, as ECMA-262 has them; what only other dialects have is written as JavaScript has it if its meaning is
 * clear: `(?i)`, `\A`, `\z`, `(?P<name>`, POSIX classes, `/…/i`. What it does not know stays as it is.
 */
export function tokenize(pattern: string): Tokens {
  const [, inner, outer = ""] = /^\/(\^[\s\S]*\$)\/([ims]*)$/.exec(pattern) ?? [];
  const source = inner ?? pattern;
  const tokens: Token[] = [];
  let flags = outer;
  part.lastIndex = 0;
  while (part.lastIndex < source.length) {
    const at = part.lastIndex;
    if (source[at] === "[") {
      const end = endOfClass(source, at);
      tokens.push({ kind: "class", text: classText(source.slice(at, end)) });
      part.lastIndex = end;
      continue;
    }
    const [found = ""] = part.exec(source) ?? [];
    const own = /^\(\?([ims]+)\)$/.exec(found)?.[1];
    if (own !== undefined && tokens.every(({ kind }) => kind === "start")) flags += own;
    else tokens.push(...tokensOf(found));
  }
  const foreign = /\\[AzZ]|\(\?P|\[:[a-z]+:\]|\{,\d/.test(source.replaceAll("\\\\", ""));
  return {
    tokens,
    flags: [...new Set(flags)].join(""),
    isForeign: foreign || inner !== undefined || flags !== "",
  };
}

function tokensOf(found: string): readonly Token[] {
  const anchor = anchors[found];
  if (anchor !== undefined) return anchor;
  const one = (kind: Exclude<Token["kind"], "quantifier">, text = found): Token[] => [{ kind, text }];
  if (found.startsWith("\\")) return one("escape", escapeText(found));
  if (found.startsWith("(?P=")) return one("escape", `\\k<${found.slice(4, -1)}>`);
  if (found.startsWith("(")) return one("open", found.replace(/^\(\?P</, "(?<"));
  const [, least, comma, most, more = ""] = /^\{(\d*)(,?)(\d*)\}([?+]?)$/.exec(found) ?? [];
  if (least !== undefined && (least !== "" || most !== "")) {
    const min = Number(least);
    const max = comma === "" ? min : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return [{ kind: "quantifier", text: `{${min}${comma}${most}}${more}`, min, max }];
  }
  if (/^[*+?]/.test(found))
    return [
      {
        kind: "quantifier",
        text: found,
        min: found.startsWith("+") ? 1 : 0,
        max: found.startsWith("?") ? 1 : Number.POSITIVE_INFINITY,
      },
    ];
  switch (found) {
    case ")":
      return one("close");
    case "|":
      return one("or");
    case "^":
      return one("start");
    case "$":
      return one("end");
    case ".":
      return one("any");
    default:
      return one("text", found.replaceAll(/[\]{}]/g, "\\$&"));
  }
}

/** An escape in Unicode mode, which has no needless ones: `\_` is `_`. */
function escapeText(found: string): string {
  return /^\\[^A-Za-z0-9^$\\.*+?()[\]{}|/-]$/u.test(found) ? found.slice(1) : found === "\\-" ? "-" : found;
}

/** The position behind a class in brackets. A `]` that comes first is a member in other dialects, and an empty class in ECMA-262. */
function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    const named = /^\[:\^?[a-z]+:\]/.exec(source.slice(at, at + 12));
    if (named !== null) at += named[0].length - 1;
    else if (source[at] === "\\") at++;
    else if (source[at] === "]") return at + 1;
  }
  return source.length;
}

function classText(source: string): string {
  return source
    .replaceAll(/\[:([a-z]+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
    .replaceAll(/\\[^A-Za-z0-9^\\\]-]/gu, (one) => (/[/[$.*+?(){}|]/.test(one) ? one : one.slice(1)))
    .replaceAll(/(\\[dswDSW])-(?!\])/g, "$1\\-")
    .replaceAll(/-(?=\\[dswDSW])/g, (dash, at: number, all: string) => (all[at - 1] === "\\" ? dash : "\\-"));
}
