import { parseUrl } from "../../../src/parse-url.js";
import { badRequest } from "../bad-request.js";
import { fieldTypes } from "./profile-field-types.js";

/** Most characters of `field_data` as JSON text. */
const maxFieldDataLength = 20_000;
const maxChoices = 100;
const maxChoiceTextLength = 100;
const maxUrlPatternLength = 1024;
const placeholder = "%(username)s";

type Data = Readonly<Record<string, unknown>>;

/**
 * Checks the `field_data` of a new profile field, and gives what is kept of it as JSON text. A list of options needs choices, an
 * external account a configuration: `{"subtype": "custom", "url_pattern": …}`, whose URL has `%(username)s` once. Other types have
 * no data; what is sent for them is not kept. Throws a refusal (Create a custom profile field, `field_data`).
 */
export function readFieldData(type: number, data: Data | undefined): string {
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
  if (subtype !== "custom") throw badRequest("The subtype of an external account is not one of: custom");
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

/** Whether `field_data` of a list of options, as it is kept, has a choice with this id. */
export function hasChoice(fieldData: string, id: string): boolean {
  return Object.hasOwn(JSON.parse(fieldData), id);
}
