/** An object in a subscription. Its members may have any type, because programs differ. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object and not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text, number or boolean member as text, or else the other member. Empty if neither exists. */
export function textOf(fields: Fields, name: string, otherName?: string): string {
  const text = scalarText(fields[name]);
  return text !== "" || otherName === undefined ? text : scalarText(fields[otherName]);
}

/** A member that is one text or a list of texts, or else the other member. Joins the texts with commas. */
export function listOf(fields: Fields, name: string, otherName?: string): string {
  const text = listText(fields[name]);
  return text !== "" || otherName === undefined ? text : listText(fields[otherName]);
}

/** A member that is an object, or the first object of a list. An empty object if there is none. */
export function partOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  const part: unknown = Array.isArray(value) ? value[0] : value;
  return isFields(part) ? part : nothing;
}

/** Whether a member exists and is not false. */
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
