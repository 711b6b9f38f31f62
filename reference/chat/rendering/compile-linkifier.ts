import { RE2JS, RE2JSException } from "re2js";
import { parseTemplate, type Template } from "url-template";
import { isExternalUrl } from "./safe-url.js";

/** Maximum length of a linkifier's pattern. */
const maxPatternLength = 1000;
/** Maximum instructions of a compiled pattern; matching time grows with their number. */
const maxProgramSize = 500;
// Maximum sum of all repeat counts, checked before compiling, since large counts make compiling slow.
const maxRepeats = 500;

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

/** An error in a linkifier, with the request parameter that has it. */
export interface LinkifierProblem {
  readonly parameter: "pattern" | "url_template";
  readonly message: string;
}

/** Result of `compileLinkifier`. */
export type LinkifierCompilation =
  | { readonly kind: "compiled"; readonly linkifier: CompiledLinkifier }
  | { readonly kind: "invalid"; readonly problem: LinkifierProblem };

function invalid(parameter: LinkifierProblem["parameter"], message: string): LinkifierCompilation {
  return { kind: "invalid", problem: { parameter, message } };
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
 * Checks and compiles a linkifier. The pattern is RE2 (no look-around, no back-reference), at most 1000 characters and
 * 500 instructions long, and does not match the empty string. The template is RFC 6570, at most 1000 characters long.
 * The named groups of the pattern and the variables of the template are the same names.
 * Rule: "Update a linkifier: PATCH /realm/filters/{filter_id}".
 */
export function compileLinkifier(pattern: string, urlTemplate: string): LinkifierCompilation {
  if (pattern === "") return invalid("pattern", "The pattern is empty; write a regular expression.");
  if (pattern.length > maxPatternLength) {
    return invalid("pattern", `The pattern is longer than ${maxPatternLength} characters; shorten it.`);
  }
  const tooLarge = invalid("pattern", "The pattern is too large once compiled; use smaller repeat counts.");
  if (repeats(pattern) > maxRepeats) return tooLarge;
  const alone = compile(pattern);
  if (typeof alone === "string") {
    return invalid(
      "pattern",
      `The pattern is not an RE2 regular expression (${alone}); look-around and back-references are not supported.`,
    );
  }
  if (alone.programSize() > maxProgramSize) return tooLarge;
  if (matchesEmpty(alone)) {
    return invalid("pattern", "The pattern matches the empty string; require at least one character.");
  }
  const regexp = compile(`(?:^|[^\\pL\\pN_])(${pattern})(?:$|[^\\pL\\pN_])`);
  if (typeof regexp === "string") {
    return invalid("pattern", "The pattern has \\Q without \\E; add \\E after the quoted text.");
  }
  if (regexp.programSize() > maxProgramSize) return tooLarge;

  const reading = readUrlTemplate(urlTemplate);
  if (reading.kind === "invalid") return invalid("url_template", reading.message);
  const groups = Object.keys(alone.namedGroups());
  const unknown = reading.variables.find((name) => !groups.includes(name));
  if (unknown !== undefined) {
    return invalid(
      "url_template",
      `The URL template uses {${unknown}}, but the pattern has no group of that name; add (?P<${unknown}>...) to the pattern.`,
    );
  }
  const unused = groups.find((name) => !reading.variables.includes(name));
  if (unused !== undefined) {
    return invalid(
      "url_template",
      `The URL template does not use the group "${unused}" of the pattern; add {${unused}} to the template.`,
    );
  }
  const template = parseTemplate(urlTemplate);
  const sample = template.expand(Object.fromEntries(groups.map((name) => [name, "1"])));
  if (/^[a-z][a-z0-9+.-]*:/i.test(urlTemplate) && !isExternalUrl(sample)) {
    return invalid(
      "url_template",
      "URLs of this template are never linked; begin it with https://, http:// or mailto:.",
    );
  }
  return {
    kind: "compiled",
    linkifier: { regexp, prefix: literalPrefix(pattern), template, variables: reading.variables },
  };
}

/** Maximum length of a URL template. */
export const maxUrlTemplateLength = 1000;

/** The variables of a URL template, or the reason why it is invalid. */
export type UrlTemplateReading =
  | { readonly kind: "valid"; readonly variables: readonly string[] }
  | { readonly kind: "invalid"; readonly message: string };

const expressionPattern = /\{([^{}]*)\}/g;
// RFC 6570 section 2.1, with the apostrophe that erratum 6937 allows.
const literalsPattern = /^(?:%[0-9A-Fa-f]{2}|[^\p{Cc}\p{Surrogate} "%<>\\^`{|}])*$/u;
const operators = "+#./;?&";
const reservedOperators = "=,!@|";
const variableNamePattern = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*$/;
const modifierPattern = /^(?:\*|:[1-9][0-9]{0,3})?$/;

function invalidTemplate(message: string): UrlTemplateReading {
  return { kind: "invalid", message };
}

function expressionProblem(expression: string): string | undefined {
  const first = expression.charAt(0);
  if (first !== "" && reservedOperators.includes(first)) {
    return `The URL template uses the operator "${first}", which RFC 6570 reserves; use one of + # . / ; ? &.`;
  }
  for (const specification of specifications(expression)) {
    const [, name = "", modifier = ""] = /^([^:*]*)(.*)$/s.exec(specification) ?? [];
    if (!variableNamePattern.test(name)) {
      return `The URL template has "{${expression}}"; write the name of a group between the braces, such as {id}.`;
    }
    if (!modifierPattern.test(modifier)) {
      return `The URL template has the modifier "${modifier}"; use "*" or ":" and a number from 1 to 9999.`;
    }
  }
  return undefined;
}

function specifications(expression: string): string[] {
  return (operators.includes(expression.charAt(0)) ? expression.slice(1) : expression).split(",");
}

/**
 * Validates a URL template against the grammar of RFC 6570 and lists its variables, one entry per use. The library that expands
 * templates accepts invalid ones, so they must be rejected first.
 */
function readUrlTemplate(template: string): UrlTemplateReading {
  if (template === "")
    return invalidTemplate("The URL template is empty; write an address such as https://example.com/{id}.");
  if (template.length > maxUrlTemplateLength) {
    return invalidTemplate(`The URL template is longer than ${maxUrlTemplateLength} characters; shorten it.`);
  }
  // Splitting by a group puts literals at even indexes and expressions at odd ones.
  const literals = template.split(expressionPattern).filter((_, index) => index % 2 === 0);
  if (literals.some((literal) => /[{}]/.test(literal))) {
    return invalidTemplate("The URL template has a brace without its partner; write each variable as {name}.");
  }
  if (!literals.every((literal) => literalsPattern.test(literal))) {
    return invalidTemplate("The URL template has a character that a URL cannot have; write it percent-encoded.");
  }
  const expressions = [...template.matchAll(expressionPattern)].map(([, expression = ""]) => expression);
  for (const expression of expressions) {
    const message = expressionProblem(expression);
    if (message !== undefined) return invalidTemplate(message);
  }
  return {
    kind: "valid",
    variables: expressions.flatMap((expression) =>
      specifications(expression).map((each) => each.replace(/[:*].*$/, "")),
    ),
  };
}
