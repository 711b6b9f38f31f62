const whole = /^\$([A-Za-z][\w-]*(?:\.[\w-]+)*)$/;
const inside = /\{\$([A-Za-z][\w-]*(?:\.[\w-]+)*)\}/g;

/** The expression that a text consists of, without its `$`. Undefined for any other text. */
export function expressionOf(text: string): string | undefined {
  return whole.exec(text)?.[1];
}

/** Writes a text so that it is taken literally. */
export function literal(text: string): string {
  return text.startsWith("$") || text.includes("{$") ? `$$${text}` : text;
}

/** Replaces the expressions inside a text, such as `{$sent.message_id}`. `find` gets each without its `$`. */
export function replaceExpressions(text: string, find: (expression: string) => string): string {
  return text.replace(inside, (_, expression: string) => find(expression));
}

/** Lists the expressions in a value, at any depth, without their `$`. */
export function expressionsIn(template: unknown): string[] {
  if (typeof template === "object" && template !== null) return Object.values(template).flatMap(expressionsIn);
  if (typeof template !== "string" || template.startsWith("$$")) return [];
  return [...[expressionOf(template) ?? []].flat(), ...[...template.matchAll(inside)].map(([, name = ""]) => name)];
}

/** Writes all texts in a value so that they are taken literally. Undefined stays undefined. */
export function literals<Value>(value: Value): Value {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => (typeof inner === "string" ? literal(inner) : inner));
}
