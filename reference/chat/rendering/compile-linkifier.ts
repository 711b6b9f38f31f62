import { RE2JS, RE2JSException } from "re2js";
import { parseTemplate, type Template } from "url-template";
import { isExternalUrl } from "./safe-url.js";

/** Maximum length of a linkifier's pattern. */
const maxPatternLength = 1000;
/** Maximum instructions of a compiled pattern; matching time grows with their number. */
const maxProgramSize = 500;
// Maximum sum of all repeat counts, checked before compiling, since large counts make compiling slow.
const maxRepeats = 500;
/** Maximum length of a URL template. */
const maxUrlTemplateLength = 1000;

/** A compiled linkifier, returned by `compileLinkifier`. */
export interface CompiledLinkifier {
  /** Matches the pattern as group 1, with no letter, digit or underscore on either side of it. */
  readonly regexp: RE2JS;
  /** Text at the start of every match; empty if unknown. */
  readonly prefix: string;
  readonly template: Template;
  /** The groups the template inserts, one entry for each use. */
  readonly variables: readonly string[];
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message.replace(/^error parsing regexp: /, "");
    throw error;
  }
}

function repeats(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)];
  return counts.reduce((sum, [, low = "0", high = ""]) => sum + Number(high === "" ? low : high), 0);
}

function matchesEmpty(regexp: RE2JS): boolean {
  // The samples cover \b, ^ and $ as well as a plain empty match.
  return ["", "a", " a ", "\n"].some((sample) => {
    const matcher = regexp.matcher(sample);
    return matcher.find() && matcher.start() === matcher.end();
  });
}

function literalPrefix(pattern: string): string {
  // After an alternation, a match may begin with any text.
  if (pattern.includes("|")) return "";
  const [literal = ""] = /^[\w#@:/ -]*/.exec(pattern) ?? [];
  return /^[*+?{]/.test(pattern.slice(literal.length)) ? literal.slice(0, -1) : literal;
}

/**
 * Checks and compiles a linkifier; returns what is wrong with an invalid one. The pattern is RE2 (no look-around, no
 * back-reference), at most 1000 characters and 500 instructions long, and does not match the empty string. The template is
 * RFC 6570, at most 1000 characters long. The named groups of the pattern and the variables of the template are the same names.
 * Rule: "Update a linkifier: PATCH /realm/filters/{filter_id}".
 */
export function compileLinkifier(pattern: string, urlTemplate: string): CompiledLinkifier | string {
  if (pattern === "") return "The pattern is empty; write a regular expression.";
  if (pattern.length > maxPatternLength) {
    return `The pattern is longer than ${maxPatternLength} characters; shorten it.`;
  }
  const tooLarge = "The pattern is too large once compiled; use smaller repeat counts.";
  if (repeats(pattern) > maxRepeats) return tooLarge;
  const alone = compile(pattern);
  if (typeof alone === "string") {
    return `The pattern is not an RE2 regular expression (${alone}); look-around and back-references are not supported.`;
  }
  if (alone.programSize() > maxProgramSize) return tooLarge;
  if (matchesEmpty(alone)) return "The pattern matches the empty string; require at least one character.";
  const regexp = compile(`(?:^|[^\\pL\\pN_])(${pattern})(?:$|[^\\pL\\pN_])`);
  if (typeof regexp === "string") return "The pattern has \\Q without \\E; add \\E after the quoted text.";
  if (regexp.programSize() > maxProgramSize) return tooLarge;

  const variables = readUrlTemplate(urlTemplate);
  if (typeof variables === "string") return variables;
  const groups = Object.keys(alone.namedGroups());
  const unknown = variables.find((name) => !groups.includes(name));
  if (unknown !== undefined) {
    return `The URL template uses {${unknown}}, but the pattern has no group of that name; add (?P<${unknown}>...) to the pattern.`;
  }
  const unused = groups.find((name) => !variables.includes(name));
  if (unused !== undefined) {
    return `The URL template does not use the group "${unused}" of the pattern; add {${unused}} to the template.`;
  }
  const template = parseTemplate(urlTemplate);
  const sample = template.expand(Object.fromEntries(groups.map((name) => [name, "1"])));
  if (/^[a-z][a-z0-9+.-]*:/i.test(urlTemplate) && !isExternalUrl(sample)) {
    return "URLs of this template are never linked; begin it with https://, http:// or mailto:.";
  }
  return { regexp, prefix: literalPrefix(pattern), template, variables };
}

// The grammar of RFC 6570, section 2, with the apostrophe that erratum 6937 allows.
const literal = String.raw`%[0-9A-Fa-f]{2}|[^\p{Cc}\p{Surrogate} "%<>\\^\x60{|}]`;
const name = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+";
const variable = String.raw`${name}(?:\.${name})*(?:\*|:[1-9][0-9]{0,3})?`;
const grammar = new RegExp(String.raw`^(?:${literal}|\{[+#./;?&]?${variable}(?:,${variable})*\})*$`, "u");

/**
 * Lists the variables of a URL template, one entry per use; returns what is wrong with an invalid one. The library that expands
 * templates accepts invalid ones, so they must be rejected first.
 */
function readUrlTemplate(template: string): readonly string[] | string {
  if (template === "") return "The URL template is empty; write an address such as https://example.com/{id}.";
  if (template.length > maxUrlTemplateLength) {
    return `The URL template is longer than ${maxUrlTemplateLength} characters; shorten it.`;
  }
  if (!grammar.test(template)) {
    return "The URL template is not one of RFC 6570; write each variable as {name}, and what a URL cannot have percent-encoded.";
  }
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^}]*)\}/g)];
  return expressions.flatMap(([, list = ""]) => list.split(",").map((each) => each.replace(/[:*].*$/, "")));
}
