/** Most characters of a URL template. */
export const MAX_URL_TEMPLATE_LENGTH = 1000;

/** What a URL template uses, or why it is not one. */
export type UrlTemplateReading =
  | { readonly kind: "valid"; readonly variables: readonly string[] }
  | { readonly kind: "invalid"; readonly message: string };

const EXPRESSION = /\{([^{}]*)\}/g;
// RFC 6570 section 2.1, with the apostrophe that erratum 6937 allows.
const LITERALS = /^(?:%[0-9A-Fa-f]{2}|[^\p{Cc}\p{Surrogate} "%<>\\^`{|}])*$/u;
const OPERATORS = "+#./;?&";
const RESERVED_OPERATORS = "=,!@|";
const VARIABLE_NAME = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*$/;
const MODIFIER = /^(?:\*|:[1-9][0-9]{0,3})?$/;

function invalid(message: string): UrlTemplateReading {
  return { kind: "invalid", message };
}

function expressionProblem(expression: string): string | undefined {
  const first = expression.charAt(0);
  if (first !== "" && RESERVED_OPERATORS.includes(first)) {
    return `The URL template uses the operator "${first}", which RFC 6570 reserves; use one of + # . / ; ? &.`;
  }
  for (const specification of specifications(expression)) {
    const [, name = "", modifier = ""] = /^([^:*]*)(.*)$/s.exec(specification) ?? [];
    if (!VARIABLE_NAME.test(name)) {
      return `The URL template has "{${expression}}"; write the name of a group between the braces, such as {id}.`;
    }
    if (!MODIFIER.test(modifier)) {
      return `The URL template has the modifier "${modifier}"; use "*" or ":" and a number from 1 to 9999.`;
    }
  }
  return undefined;
}

function specifications(expression: string): string[] {
  return (OPERATORS.includes(expression.charAt(0)) ? expression.slice(1) : expression).split(",");
}

/**
 * Checks a URL template against the grammar of RFC 6570 and lists its variables, one entry for each use. The library
 * that expands templates takes broken ones as they are, so the check has to come first.
 */
export function readUrlTemplate(template: string): UrlTemplateReading {
  if (template === "") return invalid("The URL template is empty; write an address such as https://example.com/{id}.");
  if (template.length > MAX_URL_TEMPLATE_LENGTH) {
    return invalid(`The URL template is longer than ${MAX_URL_TEMPLATE_LENGTH} characters; shorten it.`);
  }
  // Split by a group: literals at even places, expressions at odd ones.
  const literals = template.split(EXPRESSION).filter((_, index) => index % 2 === 0);
  if (literals.some((literal) => /[{}]/.test(literal))) {
    return invalid("The URL template has a brace without its partner; write each variable as {name}.");
  }
  if (!literals.every((literal) => LITERALS.test(literal))) {
    return invalid("The URL template has a character that a URL cannot have; write it percent-encoded.");
  }
  const expressions = [...template.matchAll(EXPRESSION)].map(([, expression = ""]) => expression);
  for (const expression of expressions) {
    const message = expressionProblem(expression);
    if (message !== undefined) return invalid(message);
  }
  return {
    kind: "valid",
    variables: expressions.flatMap((expression) =>
      specifications(expression).map((each) => each.replace(/[:*].*$/, "")),
    ),
  };
}
