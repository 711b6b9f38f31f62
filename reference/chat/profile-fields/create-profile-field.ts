import { parseUrl } from "../../../src/base/parse-url.js";
import { isLongerThan } from "../limits.js";
import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";

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

/** Default names of fields. */
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

/** The default name of a field: its type, with a number if the name is taken. */
function defaultFieldName(type: number, taken: ReadonlySet<string>): string {
  const name = typeNames[type] ?? "Field";
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** Maximum lengths of a name and a hint in Unicode code points. */
const maxNameLength = 40;
const maxHintLength = 80;
/** Maximum profile fields per organization. */
const maxProfileFields = 100;
/** Maximum fields in the profile summary (Limits). */
const maxInSummary = 2;

/** Types that the profile summary cannot display. */
const notInSummary: ReadonlySet<number> = new Set([fieldTypes.longText, fieldTypes.people]);

/**
 * Creates a custom profile field (Create a custom profile field). `authorize` has checked that the caller is an administrator.
 * By default, users may edit the field, and it is neither required nor in the summary.
 */
export function createCreateProfileField({ database }: Services): Operation<"createProfileField"> {
  return async ({ parameters, caller: { realm } }) => {
    const { field_type: type, hint = "", display_in_profile_summary: inSummary = false } = parameters;
    const fields = await database
      .selectFrom("profile_field")
      .select(["name", "display_in_profile_summary"])
      .where("realm_id", "=", realm.id)
      .execute();
    if (fields.length >= maxProfileFields) {
      return badRequest(`An organization has at most ${maxProfileFields} custom profile fields`);
    }
    const name = readName(parameters.name, type, new Set(fields.map((field) => field.name)));
    if (isLongerThan(hint, maxHintLength)) return badRequest(`hint is longer than ${maxHintLength} characters`);
    const field_data = readFieldData(type, parameters.field_data);
    if (inSummary) {
      if (notInSummary.has(type)) return badRequest("Field type not supported for display in profile summary");
      if (fields.filter((field) => field.display_in_profile_summary).length >= maxInSummary) {
        return badRequest(`Only ${maxInSummary} custom profile fields can be displayed in the profile summary`);
      }
    }
    const { id } = await database
      .insertInto("profile_field")
      .values({
        realm_id: realm.id,
        name,
        hint,
        field_type: type,
        field_data,
        display_in_profile_summary: inSummary,
        required: parameters.required ?? false,
        editable_by_user: parameters.editable_by_user ?? true,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id };
  };
}

function readName(given: string | undefined, type: number, taken: ReadonlySet<string>): string {
  if (given === undefined) return defaultFieldName(type, taken);
  const name = given.trim();
  if (name === "") throw badRequest("name is empty");
  if (isLongerThan(name, maxNameLength)) throw badRequest(`name is longer than ${maxNameLength} characters`);
  if (taken.has(name)) throw badRequest("A profile field with this name already exists");
  return name;
}

/** Maximum length of `field_data` as JSON text. */
const maxFieldDataLength = 20_000;
const maxChoices = 100;
const maxChoiceTextLength = 100;
const maxUrlPatternLength = 1024;
const placeholder = "%(username)s";

type Data = Readonly<Record<string, unknown>>;

/**
 * Validates the `field_data` of a new profile field and returns the JSON text to store. A list of options needs choices; an
 * external account needs `{"subtype": "custom", "url_pattern": …}` with `%(username)s` exactly once in the URL. Other types
 * ignore their data. Throws a refusal (Create a custom profile field, `field_data`).
 */
function readFieldData(type: number, data: Data | undefined): string {
  const text = JSON.stringify(data ?? {});
  if (text.length > maxFieldDataLength) throw badRequest(`field_data is longer than ${maxFieldDataLength} characters`);
  if (type === fieldTypes.options) checkChoices(data ?? {});
  else if (type === fieldTypes.externalAccount) checkExternalAccount(data ?? {});
  else return "{}";
  return text;
}

function checkChoices(choices: Data): void {
  const entries = Object.entries(choices);
  if (entries.length === 0) throw badRequest("A list of options needs at least one choice in field_data");
  if (entries.length > maxChoices) throw badRequest(`A list of options has at most ${maxChoices} choices`);
  const texts = new Set<string>();
  for (const [id, choice] of entries) {
    const { text, order } = isData(choice) ? choice : {};
    if (typeof text !== "string" || typeof order !== "string") {
      throw badRequest("A choice in field_data needs text and order, which are strings");
    }
    if (id.trim() === "" || text.trim() === "") throw badRequest("A choice in field_data has an empty id or text");
    if ([id, text, order].some((part) => part.length > maxChoiceTextLength)) {
      throw badRequest(`A choice in field_data is longer than ${maxChoiceTextLength} characters`);
    }
    if (texts.has(text)) throw badRequest("Two choices in field_data have the same text");
    texts.add(text);
  }
}

function checkExternalAccount({ subtype, url_pattern: pattern, ...more }: Data): void {
  if (Object.keys(more).length > 0)
    throw badRequest("field_data of an external account has subtype and url_pattern only");
  if (subtype !== "custom") throw badRequest("The subtype of an external account must be custom");
  const isUrl =
    typeof pattern === "string" &&
    pattern.length <= maxUrlPatternLength &&
    pattern.split(placeholder).length === 2 &&
    isWebUrl(pattern.replace(placeholder, "username"));
  if (!isUrl) throw badRequest(`url_pattern is not an http or https URL that has ${placeholder} once`);
}

/** Whether a text is an absolute http or https URL without spaces or control characters. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^/\\\s]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && parseUrl(text) !== undefined;
}

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null;
}

/** Whether `field_data`, as stored for a list of options, contains a choice with this id. */
export function hasChoice(fieldData: string, id: string): boolean {
  return Object.hasOwn(JSON.parse(fieldData), id);
}
