/** An object from a subscription. Nothing is known of its members: every program writes them in types of its own. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that is a text, a number or a boolean, as text; else the other member. Empty when there is none. */
export function textOf(fields: Fields, name: string, otherName?: string): string {
  const text = scalarText(fields[name]);
  return text !== "" || otherName === undefined ? text : scalarText(fields[otherName]);
}

/** A member that is a list of texts, or one text; else the other member. Gives the texts, separated by commas. */
export function listOf(fields: Fields, name: string, otherName?: string): string {
  const text = listText(fields[name]);
  return text !== "" || otherName === undefined ? text : listText(fields[otherName]);
}

/** A member that is an object, or the first one of a list of objects. Without one, an object without members. */
export function partOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  const part: unknown = Array.isArray(value) ? value[0] : value;
  return isFields(part) ? part : nothing;
}

/** Whether a member is there and is not false. */
export function has(fields: Fields, name: string): boolean {
  const value = fields[name];
  return value !== undefined && value !== null && value !== false;
}

function listText(value: unknown): string {
  return Array.isArray(value)
    ? value.slice(0, maxListLength).map(scalarText).filter(Boolean).join(",")
    : scalarText(value);
}

const maxListLength = 64;
const nothing: Fields = {};

/** A text, number or boolean as text; the empty text for anything else. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    default:
      return "";
  }
}
