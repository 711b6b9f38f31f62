import { badRequest } from "../bad-request.js";
import { isLongerThan } from "../limits.js";
import type { Operation, Services } from "../services.js";
import { readFieldData } from "./profile-field-data.js";
import { defaultFieldName, fieldTypes } from "./profile-field-types.js";

/** Most characters of a name and of a hint, counted in Unicode code points. */
const maxNameLength = 40;
const maxHintLength = 80;
/** Most profile fields of an organization. */
const maxProfileFields = 100;
/** Most fields in the profile summary (Limits). */
const maxInSummary = 2;

/** Types that the profile summary does not display. */
const notInSummary: ReadonlySet<number> = new Set([fieldTypes.longText, fieldTypes.people]);

/**
 * Creates a custom profile field; `authorize` has refused everybody but administrators (Create a custom profile field). Without
 * `editable_by_user`, users may edit it; without the other flags, it is neither required nor in the summary.
 */
export function createCreateProfileField({ database }: Services): Operation<"createProfileField"> {
  const { sql } = database;
  return ({ parameters, caller: { realm } }) =>
    database.transaction(() => {
      const { field_type: type, hint = "", display_in_profile_summary: inSummary = false } = parameters;
      const fields = database.all(
        sql.selectFrom("profile_field").select(["name", "display_in_profile_summary"]).where("realm_id", "=", realm.id),
      );
      if (fields.length >= maxProfileFields) {
        return badRequest(`An organization has at most ${maxProfileFields} custom profile fields`);
      }
      const name = readName(parameters.name, type, new Set(fields.map((field) => field.name)));
      if (isLongerThan(hint, maxHintLength)) return badRequest(`hint is longer than ${maxHintLength} characters`);
      const field_data = readFieldData(type, parameters.field_data);
      if (inSummary) {
        if (notInSummary.has(type)) return badRequest("Field type not supported for display in profile summary");
        if (fields.filter((field) => field.display_in_profile_summary === 1).length >= maxInSummary) {
          return badRequest(`Only ${maxInSummary} custom profile fields can be displayed in the profile summary`);
        }
      }
      const { insertedId: id } = database.run(
        sql.insertInto("profile_field").values({
          realm_id: realm.id,
          name,
          hint,
          field_type: type,
          field_data,
          display_in_profile_summary: inSummary,
          required: parameters.required ?? false,
          editable_by_user: parameters.editable_by_user ?? true,
        }),
      );
      return { id };
    });
}

function readName(given: string | undefined, type: number, taken: ReadonlySet<string>): string {
  if (given === undefined) return defaultFieldName(type, taken);
  const name = given.trim();
  if (name === "") throw badRequest("name is empty");
  if (isLongerThan(name, maxNameLength)) throw badRequest(`name is longer than ${maxNameLength} characters`);
  if (taken.has(name)) throw badRequest("A profile field with this name exists");
  return name;
}
