import { randomBytes } from "node:crypto";
import { secondsNow } from "../../clock.js";
import { deliverDue } from "../../due/deliver-due.js";
import { createGroup } from "../../groups/create-group.js";
import { realmGroupSettings } from "../../groups/realm-group-settings.js";
import { maxMessageLength, maxTopicLength } from "../../limits.js";
import { removeUnusedUploads } from "../../uploads/remove-unused-uploads.js";
import type { StateContext, StateSetups } from "../state-setup.js";

/** Ids count from 1, and never get this far. */
const unusedId = 2_000_000_000;

/** Provider states of organizations and their configuration. */
export const organizationStates = {
  organization: (context, { settings = {} }) => {
    const { services, realm, user } = context;
    const { database } = services;
    const groups = realmGroupSettings.flatMap((name) => {
      const members = settings[name];
      if (members === undefined) return [];
      return [
        [
          name,
          createGroup(
            database,
            realm.id,
            members.map((caller) => user(caller).id),
          ),
        ],
      ];
    });
    const changed = { ...settings, ...Object.fromEntries(groups) };
    if (Object.keys(changed).length > 0) {
      database.run(database.sql.updateTable("realm").set(changed).where("id", "=", realm.id));
    }
    return organizationValues(context);
  },
  // The organization was made for this state, with its only user.
  "sole-user": () => ({}),
  missing: () => ({
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
  "limit-texts": () => ({
    longest_topic: "t".repeat(maxTopicLength),
    too_long_topic: "t".repeat(maxTopicLength + 1),
    longest_content: "c".repeat(maxMessageLength),
    too_long_content: "c".repeat(maxMessageLength + 1),
  }),
  moment: ({ services, realm }, { in_seconds: ahead }) => ({ timestamp: secondsNow(services.clock, realm) + ahead }),
  "time-passes": async ({ services, realm }, { seconds }) => {
    const { database } = services;
    const clock_offset_seconds = realm.clock_offset_seconds + seconds;
    database.run(database.sql.updateTable("realm").set({ clock_offset_seconds }).where("id", "=", realm.id));
    deliverDue(services, { ...realm, clock_offset_seconds });
    await removeUnusedUploads(services);
    services.reschedule();
    return {};
  },
} satisfies Partial<StateSetups>;

function organizationValues({ services, realm }: StateContext) {
  const { database } = services;
  const settings = database.first(database.sql.selectFrom("realm").selectAll().where("id", "=", realm.id)) ?? realm;
  return {
    max_topic_length: maxTopicLength,
    max_message_length: maxMessageLength,
    max_file_upload_size_mib: settings.max_file_upload_size_mib,
    empty_topic_display_name: settings.empty_topic_display_name,
    realm_host: settings.host,
    ...(settings.push_service ? { bouncer_public_key: settings.bouncer_public_key } : {}),
  };
}
