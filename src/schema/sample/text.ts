import { matchesPattern } from "../pattern.js";
import { tokenize } from "../pattern-tokens.js";

/** One text of each format that JSON Schema and OpenAPI name. */
const formats: Readonly<Record<string, string>> = {
  date: "2019-08-24",
  "date-time": "2019-08-24T14:15:22Z",
  time: "14:15:22Z",
  duration: "P3D",
  email: "user@example.com",
  "idn-email": "user@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.168.0.1",
  ipv6: "2001:db8::1",
  uuid: "497f6eca-6276-4993-bfeb-53cbbba6f08a",
  uri: "https://example.com",
  url: "https://example.com",
  iri: "https://example.com",
  "uri-reference": "/example",
  "iri-reference": "/example",
  "uri-template": "https://example.com/{id}",
  "json-pointer": "/example",
  "relative-json-pointer": "0",
  regex: "^a$",
  byte: "Ynl0ZXM=",
  binary: "",
  password: "pa$$word",
};

/** What a schema says of a text. */
export interface TextLimits {
  readonly patterns: readonly string[];
  readonly format: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
}

/** A text that a schema allows, as far as one is found. Texts of different numbers differ if possible. */
export function sampleText({ patterns, format, minLength, maxLength }: TextLimits, nth: number): string {
  const fits = (text: string) =>
    [...text].length >= minLength &&
    [...text].length <= maxLength &&
    patterns.every((pattern) => matchesPattern(pattern, text));
  const plain = (format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined) ?? "string";
  const numbered = nth === 0 ? plain : withNumber(plain, format, nth);
  const sized = (text: string) =>
    text.slice(0, maxLength).padEnd(Math.min(minLength, maxLength), text === "" ? "x" : text);
  const candidates = [numbered, sized(numbered), ...(nth === 0 ? [] : [sized(String(nth))])];
  const found = candidates.find(fits);
  if (found !== undefined) return found;
  for (const pattern of patterns) {
    const made = matchOf(pattern, minLength, maxLength, nth, fits);
    if (made !== undefined) return nth > 0 && fits(`${made}${nth}`) ? `${made}${nth}` : made;
  }
  return sized(numbered);
}

/** Another text of the same format. */
function withNumber(text: string, format: string | undefined, nth: number): string {
  switch (format) {
    case "date":
    case "date-time": {
      const day = new Date(Date.UTC(2019, 7, 24 + nth)).toISOString().slice(0, 10);
      return day + text.slice(10);
    }
    case "uuid":
      return text.slice(0, -6) + nth.toString(16).padStart(6, "0");
    case "email":
    case "idn-email":
    case "hostname":
    case "idn-hostname":
      return text.replace("example", `example${nth}`);
    case "ipv4":
      return `192.168.${(nth >> 8) & 255}.${nth & 255}`;
    case "ipv6":
      return `2001:db8::${(nth & 0xffff).toString(16)}`;
    case "duration":
      return `P${nth}D`;
    case "time":
      return `14:${String(nth % 60).padStart(2, "0")}:22Z`;
    case "byte":
      return Buffer.from(`bytes${nth}`).toString("base64");
    case "regex":
      return `^a{${nth}}$`;
    default:
      return `${text}${nth}`;
  }
}

/** A part of a pattern: characters by a class, or alternatives of parts, so often. */
interface Piece {
  readonly one: string | readonly Piece[][];
  min: number;
  max: number;
}

/** How many ways are tried to match a pattern. */
const maxTries = 60;

/** A text that matches a pattern. Undefined if none is found: what looks ahead or behind, or refers back, is only tried. */
function matchOf(
  pattern: string,
  minLength: number,
  maxLength: number,
  nth: number,
  fits: (text: string) => boolean,
): string | undefined {
  const alternatives = readPieces(pattern);
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const extra = attempt % 12 === 11 ? minLength : attempt % 12;
    const text = write(alternatives, { extra, at: nth + Math.floor(attempt / 12), room: maxLength });
    if (fits(text)) return text;
    // Patterns without anchors match within longer texts.
    const padded = text.padEnd(Math.min(minLength, maxLength), "x");
    if (fits(padded)) return padded;
  }
  return undefined;
}

function readPieces(pattern: string): Piece[][] {
  const root: Piece[][] = [[]];
  const open: { alternatives: Piece[][]; isEmpty: boolean }[] = [{ alternatives: root, isEmpty: false }];
  for (const token of tokenize(pattern).tokens) {
    const { alternatives } = open.at(-1) ?? { alternatives: root };
    const current = alternatives.at(-1) ?? [];
    switch (token.kind) {
      case "open":
        // What a text is only compared with is not part of it.
        open.push({ alternatives: [[]], isEmpty: /^\(\?<?[=!]/.test(token.text) });
        break;
      case "close": {
        const closed = open.length > 1 ? open.pop() : undefined;
        const outer = (open.at(-1)?.alternatives ?? root).at(-1);
        if (closed !== undefined) outer?.push({ one: closed.isEmpty ? [[]] : closed.alternatives, min: 1, max: 1 });
        break;
      }
      case "or":
        alternatives.push([]);
        break;
      case "quantifier": {
        const last = current.at(-1);
        if (last !== undefined) [last.min, last.max] = [token.min, token.max];
        break;
      }
      case "start":
      case "end":
        current.push({ one: [[]], min: 1, max: 1 });
        break;
      default:
        current.push({ one: token.kind === "any" ? "." : token.text, min: 1, max: 1 });
    }
  }
  return root;
}

interface Choice {
  /** How many repetitions are made beyond the least, if there may be more. */
  readonly extra: number;
  /** Which alternatives and characters are taken. */
  readonly at: number;
  readonly room: number;
}

function write(alternatives: readonly Piece[][], choice: Choice): string {
  const pieces = alternatives[choice.at % alternatives.length] ?? [];
  return pieces
    .map(({ one, min, max }) => {
      const times = Math.min(min + (max > min ? choice.extra : 0), max, Math.max(min, choice.room));
      const text = (index: number) =>
        typeof one === "string" ? characterOf(one, choice.at + index) : write(one, choice);
      return Array.from({ length: Math.min(times, maxRepetitions) }, (_, index) => text(index)).join("");
    })
    .join("");
}

/** How often a part of a pattern is repeated. */
const maxRepetitions = 10_000;

const characters = [..."aA0_-. /:@,;#+=%&()[]{}!?*$^~|<>\"'\\`\t\n", ..."bcdefBCDEF123456789éжあ中\u00a0"];
const known = new Map<string, readonly string[]>();

/** A character that a class, an escape or a literal text stands for. */
function characterOf(source: string, at: number): string {
  const members = known.get(source) ?? characters.filter((one) => matchesPattern(`^(?:${source})$`, one));
  known.set(source, members);
  if (members.length > 0) return members[at % members.length] ?? "";
  // A literal character, such as `é`, or an escape of one.
  return /^\\[bB]$/.test(source)
    ? ""
    : source
        .replace(/^\\(?=[^\w])/, "")
        .replace(/^\\u\{?([0-9a-fA-F]+)\}?$/, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
}
