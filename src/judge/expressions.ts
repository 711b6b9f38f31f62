import { expressionOf, replaceExpressions } from "../contract/expressions.js";

/** Finds the value that an expression names, such as `["sent", "message_id"]` for `$sent.message_id`. Undefined if there is none. */
export type Scope = (path: readonly string[]) => unknown;

/** A value that an expression names and no earlier step has. */
export class MissingValueError extends Error {
  override readonly name = "MissingValueError";
  /** The expression without its `$`. */
  readonly expression: string;

  constructor(expression: string) {
    super(`no earlier step has $${expression}`);
    this.expression = expression;
  }
}

/**
 * Replaces the expressions in a value, at any depth: a text that is one by its value, and `{$sent.message_id}` in a text by its text.
 * Throws a `MissingValueError`.
 */
export function resolveValue(template: unknown, scope: Scope): unknown {
  if (typeof template === "string") return resolveText(template, scope);
  if (Array.isArray(template)) return template.map((item) => resolveValue(item, scope));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, resolveValue(item, scope)]));
}

function resolveText(text: string, scope: Scope): unknown {
  if (text.startsWith("$$")) return text.slice(2);
  const expression = expressionOf(text);
  if (expression !== undefined) return find(expression, scope);
  return replaceExpressions(text, (name) => {
    const value = find(name, scope);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  });
}

function find(expression: string, scope: Scope): unknown {
  const value = scope(expression.split("."));
  if (value === undefined) throw new MissingValueError(expression);
  return value;
}
