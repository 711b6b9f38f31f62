import { loadRe2, loadVm } from "./load-ajv.js";
import { type Token, tokenize } from "./pattern-tokens.js";
import { leftOfValidation } from "./validate-within.js";

/** The compiled pattern of a schema. */
export interface Pattern {
  /** Whether a text matches. True if that cannot be found out within the time limit. */
  readonly test: (text: string) => boolean;
  /** What a reader should know: that the pattern is read in another dialect, or judged within a time limit only. */
  readonly remark?: string;
}

/** Why a pattern cannot be read. */
export interface UnreadablePattern {
  readonly unreadable: string;
}

/** How many steps a pattern may take by JavaScript's own engine, by a rough count. */
const maxSteps = 1_000_000;
/** How long a pattern may take for one text if only JavaScript's engine can read it. */
export const maxPatternMs = 100;
/** How many optional parts in a row are harmless, since each may double the steps. */
const maxOptionalParts = 10;

const known = new Map<string, Pattern | UnreadablePattern>();

/**
 * Compiles the pattern of a schema, for every part of this package. JSON Schema asks for ECMA-262 in Unicode mode; many documents have
 * patterns that are invalid there but whose meaning is clear. A pattern that may take more than linear time is matched by RE2, or within a
 * time limit if RE2 cannot read it.
 */
export function readPattern(source: string): Pattern | UnreadablePattern {
  const found = known.get(source) ?? compile(source);
  known.set(source, found);
  return found;
}

/** Whether a text matches a pattern. True for a pattern that cannot be read. */
export function matchesPattern(source: string, text: string): boolean {
  const pattern = readPattern(source);
  return "unreadable" in pattern || pattern.test(text);
}

function compile(source: string): Pattern | UnreadablePattern {
  const { tokens, flags, isForeign } = tokenize(source);
  const text = tokens.map((token) => token.text).join("");
  const native = regExpOf(text, `u${flags}`) ?? regExpOf(source, "");
  if (native === undefined || hasForeignEscape(tokens, native)) return { unreadable: reasonOf(text, flags) };
  const remark = isForeign ? "is not written as ECMA-262 has it; other tools may not read it" : undefined;
  const degree = degreeOf(tokens);
  let linear: { readonly test: ((text: string) => boolean) | undefined } | undefined;
  const test = (value: string): boolean => {
    if (value.length ** degree <= maxSteps) return native.test(value);
    linear ??= { test: linearTest(tokens, flags) };
    return linear.test === undefined ? testWithinTime(native, value) : linear.test(value);
  };
  return { test, remark };
}

function regExpOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Whether a pattern has escapes that only other dialects have. Outside Unicode mode, JavaScript takes `\h` for `h`, which nobody means. */
function hasForeignEscape(tokens: readonly Token[], native: RegExp): boolean {
  if (native.unicode) return false;
  return tokens.some(
    ({ kind, text }) =>
      (kind === "escape" || kind === "class") && /\\(?:[aeg-jlm]|[oqp]|[yzACE-RT-VX-ZP]|u\{)/.test(text),
  );
}

function reasonOf(source: string, flags: string): string {
  try {
    new RegExp(source, `u${flags}`);
    return "it has escapes that ECMA-262 lacks";
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^.*\/[a-z]*: /s, "");
  }
}

/**
 * To which power of a text's length a backtracking engine may take time: one for each repetition without a bound, and one for the places
 * where a match may begin. Infinite for repetitions within repetitions.
 */
function degreeOf(tokens: readonly Token[]): number {
  let degree = tokens[0]?.kind === "start" ? 0 : 1;
  let optional = 0;
  const groups: { isOpen: boolean }[] = [];
  let closed: { isOpen: boolean } | undefined;
  for (const token of tokens) {
    const [group] = groups.slice(-1);
    if (token.kind === "quantifier") {
      if (closed?.isOpen && token.max > 1) return Number.POSITIVE_INFINITY;
      if (token.max - token.min > maxOptionalParts) degree++;
      else optional += token.max - token.min;
      if (group !== undefined && token.max !== token.min) group.isOpen = true;
    } else if (token.kind === "or" && group !== undefined) group.isOpen = true;
    if (token.kind === "open") groups.push({ isOpen: false });
    closed = token.kind === "close" ? groups.pop() : undefined;
    const [outer] = groups.slice(-1);
    if (closed?.isOpen && outer !== undefined) outer.isOpen = true;
    // A reference to a group is as long as the group.
    if (token.kind === "escape" && /^\\(?:[1-9]|k<)/.test(token.text)) degree++;
  }
  return optional > maxOptionalParts ? Number.POSITIVE_INFINITY : degree;
}

/** What JavaScript takes for space, which is more than RE2 does. */
const space = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

/** Compiles a pattern with RE2. Undefined if RE2 lacks a part of it. */
function linearTest(tokens: readonly Token[], flags: string): ((text: string) => boolean) | undefined {
  const re2 = loadRe2();
  if (re2 === undefined) return undefined;
  const source = tokens.map((token) => re2Text(token, flags)).join("");
  try {
    const compiled = re2.RE2JS.compile(`${flags === "" ? "" : `(?${flags})`}${source}`);
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
}

function re2Text({ kind, text }: Token, flags: string): string {
  const escaped = text.replaceAll(/\\u\{?([0-9A-Fa-f]+)\}?/g, "\\x{$1}");
  if (kind === "any") return flags.includes("s") ? "." : "[^\\n\\r\\x{2028}\\x{2029}]";
  if (kind === "class") return escaped.replaceAll("\\s", space);
  if (kind === "escape") return escaped.replace(/^\\s$/, `[${space}]`).replace(/^\\S$/, `[^${space}]`);
  return escaped;
}

/** Patterns that took too long once, which are not tried on long texts again: their time would add up. */
const slow = new WeakSet<RegExp>();

function testWithinTime(pattern: RegExp, text: string): boolean {
  const vm = loadVm();
  if (vm === undefined) return pattern.test(text);
  const timeout = Math.ceil(Math.min(maxPatternMs, leftOfValidation()));
  if (timeout <= 0 || slow.has(pattern)) return true;
  try {
    return vm.runInNewContext("pattern.test(text)", { pattern, text }, { timeout }) === true;
  } catch {
    if (timeout === maxPatternMs) slow.add(pattern);
    return true;
  }
}

/** The engine of patterns for Ajv. A pattern that cannot be read forbids nothing. */
export const ajvRegExp = Object.assign(
  (source: string) => ({ test: (text: string) => matchesPattern(source, text), toString: () => `/${source}/` }),
  { code: "readPattern" },
);
