/** The type numbers of custom profile fields (Enumerations, field_type). */
export const fieldTypes = {
  shortText: 1,
  longText: 2,
  options: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;

/** What a field is called whose creator gave it no name. */
const typeNames: Readonly<Record<number, string>> = {
  [fieldTypes.shortText]: "Short text",
  [fieldTypes.longText]: "Long text",
  [fieldTypes.options]: "List of options",
  [fieldTypes.date]: "Date",
  [fieldTypes.link]: "Link",
  [fieldTypes.people]: "People",
  [fieldTypes.externalAccount]: "External account",
  [fieldTypes.pronouns]: "Pronouns",
};

/** The name of a field without one: that of its type, with a number when other fields are called so. */
export function defaultFieldName(type: number, taken: ReadonlySet<string>): string {
  const name = typeNames[type] ?? "Field";
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}
