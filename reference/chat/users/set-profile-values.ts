import { badRequest } from "../bad-request.js";
import { profileValueProblem } from "../organizations/profile-value-problem.js";
import type { Caller } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/** The value of one custom profile field, as a request has it. */
interface ProfileValue {
  readonly id: number;
  readonly value: string;
}

/**
 * Gives a user values of custom profile fields (Update a user by email, `profile_data`); the empty text takes a value away, also that
 * of a required field. Throws a refusal for a field that the organization does not have, a field that is named twice, and a value
 * that does not fit the type of its field.
 */
export function setProfileValues(
  database: Database,
  caller: Caller,
  target: Pick<User, "id">,
  values: readonly ProfileValue[],
): void {
  const { sql } = database;
  const fields = new Map(
    database
      .all(sql.selectFrom("profile_field").selectAll().where("realm_id", "=", caller.realm.id))
      .map((field) => [field.id, field]),
  );
  const named = new Set<number>();
  for (const { id, value } of values) {
    const field = fields.get(id);
    if (field === undefined) throw badRequest(`There is no profile field with the id ${id}`);
    if (named.has(id)) throw badRequest(`profile_data names the field ${id} twice`);
    named.add(id);
    const problem = value === "" ? undefined : profileValueProblem(database, caller, field, value);
    if (problem !== undefined) throw badRequest(`The value of the profile field ${id} ${problem}`);
    const row = { user_id: target.id, field_id: id, value };
    database.run(
      value === ""
        ? sql.deleteFrom("profile_value").where("user_id", "=", target.id).where("field_id", "=", id)
        : sql
            .insertInto("profile_value")
            .values(row)
            .onConflict((conflict) => conflict.columns(["user_id", "field_id"]).doUpdateSet({ value })),
    );
  }
}
