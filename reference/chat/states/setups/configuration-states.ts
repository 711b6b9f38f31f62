import { randomBytes } from "node:crypto";
import { fieldTypes } from "../../organizations/profile-field-types.js";
import { compileLinkifier } from "../../rendering/compile-linkifier.js";
import { type StateContext, StateError, type StateSetups } from "../state-setup.js";

const externalAccount = { subtype: "custom", url_pattern: "https://archive.example.com/%(username)s" };

/** Provider states of profile fields and linkifiers. */
export const configurationStates = {
  "profile-field": (context, params) => {
    const { services, realm } = context;
    const { database } = services;
    const { field_type: type = fieldTypes.shortText, display_in_profile_summary: inSummary = false } = params;
    const { data, value } = sampleOf(context, type);
    const { insertedId: id } = database.run(
      database.sql.insertInto("profile_field").values({
        realm_id: realm.id,
        name: params.name ?? `Field ${randomBytes(4).toString("hex")}`,
        hint: "",
        field_type: type,
        field_data: JSON.stringify(data),
        display_in_profile_summary: inSummary,
        required: false,
        editable_by_user: true,
      }),
    );
    return { profile_field_id: id, profile_entry: { id, value } };
  },
  "external-account": () => ({ field_data: externalAccount }),
  linkifier: ({ services, realm }, { pattern, url_template }) => {
    const { database } = services;
    const compilation = compileLinkifier(pattern, url_template);
    if (compilation.kind === "invalid") throw new StateError(compilation.problem.message);
    const row = { realm_id: realm.id, pattern, url_template };
    return { filter_id: database.run(database.sql.insertInto("linkifier").values(row)).insertedId };
  },
} satisfies Partial<StateSetups>;

/** The data of a field of a type, and a valid value for it. */
function sampleOf({ realm, services }: StateContext, type: number): { data: object; value: string } {
  switch (type) {
    case fieldTypes.options:
      return {
        data: { 0: { text: "Tragedy", order: "1" }, 1: { text: "Comedy", order: "2" } },
        value: "1",
      };
    case fieldTypes.date:
      return { data: {}, value: "1603-03-24" };
    case fieldTypes.link:
      return { data: {}, value: "https://theatre.example.com" };
    case fieldTypes.people:
      return { data: {}, value: JSON.stringify([somePerson(services.database, realm.id)]) };
    case fieldTypes.externalAccount:
      return { data: externalAccount, value: "iago" };
    case fieldTypes.pronouns:
      return { data: {}, value: "they/them" };
    default:
      return { data: {}, value: "Vim" };
  }
}

function somePerson({ first, sql }: StateContext["services"]["database"], realmId: number): number | undefined {
  const people = sql.selectFrom("user").select("id").where("realm_id", "=", realmId).where("is_bot", "=", 0);
  return first(people.where("is_active", "=", 1).orderBy("id").limit(1))?.id;
}
