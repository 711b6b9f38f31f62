import { randomBytes } from "node:crypto";
import type { Updateable } from "kysely";
import { secondsNow } from "../clock.js";
import { deliverDue } from "../delivery/deliver-due.js";
import { createGroup } from "../groups/create-group.js";
import { realmGroupSettings } from "../groups/user-group-operations.js";
import { maxMessageLength, maxTopicLength } from "../limits.js";
import { storeServerSettings } from "../organizations/server-settings.js";
import { fieldTypes } from "../profile-fields/create-profile-field.js";
import { maxPushTextBytes } from "../push-devices.js";
import { compileLinkifier } from "../rendering/compile-linkifier.js";
import type { Database } from "../storage/database.js";
import type { Tables } from "../storage/tables.js";
import { removeUnusedUploads } from "../uploads/housekeeping.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";

/** An id that is never reached. */
const unusedId = 2_000_000_000;

/** Provider states of organizations and their configuration. */
export const organizationStates = {
  organization: async (context, { settings = {} }) => {
    const { services, realm, user } = context;
    const { database } = services;
    const groups: Partial<Record<(typeof realmGroupSettings)[number], number>> = {};
    for (const name of realmGroupSettings) {
      const members = settings[name]?.map((caller) => user(caller).id);
      if (members !== undefined) groups[name] = await createGroup(database, realm.id, members);
    }
    const changed = { ...settings, ...groups } as Updateable<Tables["realm"]>;
    if (Object.keys(changed).length > 0) {
      await database.updateTable("realm").set(changed).where("id", "=", realm.id).execute();
    }
    return organizationValues(context);
  },
  // Nothing to do: the organization was created with a single user.
  "sole-user": async () => ({}),
  missing: async () => ({
    message_id: unusedId,
    stream_id: unusedId,
    user_id: unusedId,
    user_group_id: unusedId,
    attachment_id: unusedId,
    scheduled_message_id: unusedId,
    filter_id: unusedId,
    email: "nobody@missing.invalid",
    token: `${randomBytes(16).toString("hex")}:APA91b`,
  }),
  "limit-texts": async () => ({
    longest_topic: "t".repeat(maxTopicLength),
    too_long_topic: "t".repeat(maxTopicLength + 1),
    longest_content: "c".repeat(maxMessageLength),
    too_long_content: "c".repeat(maxMessageLength + 1),
    longest_wide_topic: "🎭".repeat(maxTopicLength),
    longest_wide_content: "🎭".repeat(maxMessageLength),
  }),
  moment: async ({ services, realm }, { in_seconds: ahead }) => ({
    timestamp: secondsNow(services.clock, realm) + ahead,
  }),
  "time-passes": async ({ services, outside, realm }, { seconds }) => {
    const clock_offset_seconds = realm.clock_offset_seconds + seconds;
    await services.database.updateTable("realm").set({ clock_offset_seconds }).where("id", "=", realm.id).execute();
    services.afterCommit(async () => {
      await deliverDue(outside, { ...realm, clock_offset_seconds });
      await removeUnusedUploads(outside);
      outside.reschedule();
    });
    return {};
  },
} satisfies Partial<StateSetups>;

async function organizationValues({ services, realm }: StateContext) {
  const { database } = services;
  const settings =
    (await database.selectFrom("realm").selectAll().where("id", "=", realm.id).executeTakeFirst()) ?? realm;
  return {
    max_topic_length: maxTopicLength,
    max_message_length: maxMessageLength,
    max_file_upload_size_mib: settings.max_file_upload_size_mib,
    empty_topic_display_name: settings.empty_topic_display_name,
    realm_host: settings.host,
    ...(settings.push_service ? { bouncer_public_key: settings.bouncer_public_key } : {}),
  };
}

const externalAccount = { subtype: "custom", url_pattern: "https://archive.example.com/%(username)s" };

/** Provider states of profile fields and linkifiers. */
export const configurationStates = {
  "profile-field": async (context, params) => {
    const { services, realm } = context;
    const { database } = services;
    const { field_type: type = fieldTypes.shortText, display_in_profile_summary: inSummary = false } = params;
    const { data, value } = await sampleOf(context, type);
    const { id } = await database
      .insertInto("profile_field")
      .values({
        realm_id: realm.id,
        name: params.name ?? `Field ${randomBytes(4).toString("hex")}`,
        hint: "",
        field_type: type,
        field_data: JSON.stringify(data),
        display_in_profile_summary: inSummary,
        required: false,
        editable_by_user: true,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { profile_field_id: id, profile_entry: { id, value } };
  },
  "login-methods": async ({ services }, { ldap = false, external = [] }) => {
    const methods = external.map(({ name, display_name, icon }) => ({
      ...{ name, display_name },
      display_icon: icon ? `/static/${encodeURIComponent(name)}.svg` : null,
    }));
    await storeServerSettings(services.database, { ldap, external: methods });
    return { keys: external.map(({ name }) => name) };
  },
  "external-account": async () => ({ field_data: externalAccount }),
  linkifier: async ({ services, realm }, { pattern, url_template }) => {
    const { database } = services;
    const compiled = compileLinkifier(pattern, url_template);
    if (typeof compiled === "string") throw new StateError(compiled);
    const row = { realm_id: realm.id, pattern, url_template };
    return {
      filter_id: (await database.insertInto("linkifier").values(row).returning("id").executeTakeFirstOrThrow()).id,
    };
  },
} satisfies Partial<StateSetups>;

/** Sample data of a field type, with a valid value. */
async function sampleOf({ realm, services }: StateContext, type: number): Promise<{ data: object; value: string }> {
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
      return { data: {}, value: JSON.stringify([await firstPerson(services.database, realm.id)]) };
    case fieldTypes.externalAccount:
      return { data: externalAccount, value: "iago" };
    case fieldTypes.pronouns:
      return { data: {}, value: "they/them" };
    default:
      return { data: {}, value: "Vim" };
  }
}

async function firstPerson(database: Database, realmId: number): Promise<number | undefined> {
  const person = await database
    .selectFrom("user")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("is_bot", "=", false)
    .where("is_active", "=", true)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return person?.id;
}

/** Provider states of push devices. */
export const pushStates = {
  "android-token": async (
    { services, realm, user },
    { of = "member", token = `${randomBytes(8).toString("hex")}:APA91b` },
  ) => {
    const { database } = services;
    const insert = database.insertInto("device_token").values({
      realm_id: realm.id,
      user_id: user(of).id,
      kind: "android",
      token,
      app_id: null,
    });
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    return { token };
  },
  "refused-tokens": async () => ({
    token_of_invalid_length: "a".repeat(maxPushTextBytes + 1),
    invalid_ios_token: "zz-not-a-device-token-zz",
  }),
} satisfies Partial<StateSetups>;
