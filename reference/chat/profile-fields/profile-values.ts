import { parseJson } from "../../../src/base/parse-json.js";
import { findVisibleUser } from "../access/find-visible-user.js";
import { isLongerThan } from "../limits.js";
import { badRequest } from "../refusals.js";
import { isAdministrator } from "../roles.js";
import type { Caller } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { fieldTypes, hasChoice, isWebUrl } from "./create-profile-field.js";

/** A requested value of a custom profile field. */
interface ProfileValue {
  readonly id: number;
  readonly value: string;
}

/**
 * Sets custom profile field values of a user (Update a user by email, `profile_data`); an empty string removes a value, even of
 * a required field. Throws a refusal for an unknown field, a repeated field or an invalid value.
 */
export async function setProfileValues(
  database: Database,
  caller: Caller,
  target: Target,
  values: readonly ProfileValue[],
): Promise<void> {
  const fields = new Map(
    (await database.selectFrom("profile_field").selectAll().where("realm_id", "=", caller.realm.id).execute()).map(
      (field) => [field.id, field],
    ),
  );
  const named = new Set<number>();
  for (const { id, value } of values) {
    const field = fields.get(id);
    if (field === undefined) throw badRequest(`There is no profile field with the id ${id}`);
    if (named.has(id)) throw badRequest(`profile_data names the field ${id} twice`);
    named.add(id);
    const problem = value === "" ? undefined : await profileValueProblem(database, caller, field, value);
    if (problem !== undefined) throw badRequest(`The value of the profile field ${id} ${problem}`);
    if (value === "") await removeValue(database, target, id);
    else await storeValue(database, target, id, value);
  }
}

/**
 * Sets a value in the caller's own account. Throws a refusal like `setProfileValues`, and if the caller is not an
 * administrator and users may not edit the field (Create a custom profile field, `editable_by_user`). No operation of
 * the API does this.
 */
export async function setOwnProfileValue(database: Database, caller: Caller, value: ProfileValue): Promise<void> {
  const field = await database
    .selectFrom("profile_field")
    .select("editable_by_user")
    .where("realm_id", "=", caller.realm.id)
    .where("id", "=", value.id)
    .executeTakeFirst();
  if (field?.editable_by_user === false && !isAdministrator(caller.user))
    throw badRequest(`Users may not edit the profile field ${value.id}`);
  await setProfileValues(database, caller, caller.user, [value]);
}

type Target = Pick<User, "id" | "realm_id">;

async function removeValue(database: Database, { id, realm_id }: Target, fieldId: number): Promise<void> {
  await database
    .deleteFrom("profile_value")
    .where("realm_id", "=", realm_id)
    .where("user_id", "=", id)
    .where("field_id", "=", fieldId)
    .execute();
}

async function storeValue(
  database: Database,
  { id, realm_id }: Target,
  field_id: number,
  value: string,
): Promise<void> {
  await database
    .insertInto("profile_value")
    .values({ realm_id, user_id: id, field_id, value })
    .onConflict((conflict) => conflict.columns(["realm_id", "user_id", "field_id"]).doUpdateSet({ value }))
    .execute();
}

const maxShortText = 50;
const maxLongText = 500;
const maxUrl = 2048;
const maxPeople = 100;

/** The field that a value is checked against. */
interface Field {
  readonly field_type: number;
  readonly field_data: string;
}

/**
 * Describes what is wrong with a profile field value, as the end of a sentence; undefined if it is valid. Short texts, pronouns
 * and names of external accounts have at most 50 characters, long texts 500; an option is the id of a choice; a date is
 * `YYYY-MM-DD`; a link is an http or https URL; people are a JSON array of user ids (Resources, Custom profile field).
 */
async function profileValueProblem(
  database: Database,
  caller: Caller,
  { field_type: type, field_data: data }: Field,
  value: string,
): Promise<string | undefined> {
  switch (type) {
    case fieldTypes.longText:
      return isLongerThan(value, maxLongText) ? `is longer than ${maxLongText} characters` : undefined;
    case fieldTypes.options:
      return hasChoice(data, value) ? undefined : "is not the id of a choice";
    case fieldTypes.date:
      return isDate(value) ? undefined : "is not a date of the form YYYY-MM-DD";
    case fieldTypes.link:
      return value.length <= maxUrl && isWebUrl(value) ? undefined : "is not an http or https URL";
    case fieldTypes.people:
      return peopleProblem(database, caller, value);
    default:
      return isLongerThan(value, maxShortText) ? `is longer than ${maxShortText} characters` : undefined;
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

async function peopleProblem(database: Database, caller: Caller, value: string): Promise<string | undefined> {
  const ids = /^\[[\d,\s]{0,5000}\]$/.test(value) ? parseJson(value) : undefined;
  if (!Array.isArray(ids)) return "is not a JSON array of user ids";
  if (ids.length > maxPeople) return `has more than ${maxPeople} people`;
  for (const id of ids) {
    const user = Number.isSafeInteger(id) ? await findVisibleUser(database, caller.user, id) : undefined;
    if (user === undefined || user.is_bot) return `has ${id}, which is not the id of a person in the organization`;
    if (!user.is_active) return `has ${id}, which is the id of a deactivated user`;
  }
  return undefined;
}
