import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { systemGroup } from "../../../reference/chat/groups/create-group.js";
import { roles } from "../../../reference/chat/roles.js";
import type { Database } from "../../../reference/chat/storage/database.js";
import { fillMessages } from "../../../scripts/bench/fill-messages.js";

const small = await measure(50);
const large = await measure(1_000);

// Looking at each of 950 more rows takes several steps for each.
describe("the steps of SQLite that an operation takes", () => {
  it.each([...small])("hardly grow with the organization: %s", (name, steps) => {
    expect(steps).toBeGreaterThan(0);
    expect(large.get(name)).toBeLessThan(steps + 950);
  });
});

/** Makes calls in an organization with `size` users, channels and groups, and ten times as many messages. Returns the steps of each. */
async function measure(size: number): Promise<Map<string, number>> {
  const { url, services, close } = await createChatReference();
  const { transactions } = services;
  const filled = await transactions.write((database) => fillMessages(database, size * 10));
  const { group, channels, writer } = await transactions.write((database) => fill(database, size));
  const { authorization, last } = filled;

  /** The steps of all statements so far ("The SQLITE_STMT Virtual Table"). Each connection counts its own. */
  async function countSteps(): Promise<number> {
    const count = (database: Database) =>
      sql<{ steps: number }>`select sum(nstep) as steps from sqlite_stmt where sql not like '%sqlite_stmt%'`
        .execute(database)
        .then(({ rows }) => rows[0]?.steps ?? 0);
    return (await transactions.write(count)) + (await transactions.read(count));
  }

  async function stepsOf([method, path, form]: Call): Promise<number> {
    const before = await countSteps();
    const body = form === undefined ? {} : { body: new URLSearchParams(form) };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers: { authorization }, ...body });
    // A call with status 400 fails only its last check, so it counts nearly all steps.
    expect([200, 400]).toContain(response.status);
    return (await countSteps()) - before;
  }

  const quietly = { send_notification_to_old_thread: "false", send_notification_to_new_thread: "false" };
  const later = String(Math.ceil(Date.now() / 1000) + 3600);
  const calls: Record<string, Call> = {
    getServerSettings: ["GET", "/server_settings"],
    getUserStatus: ["GET", `/users/${writer}/status`],
    setEditTypingStatus: ["POST", `/messages/${last}/typing`, { op: "start" }],
    "editMessage, content": ["PATCH", `/messages/${last}`, { content: "@**User 7** #**extra 9**" }],
    "editMessage, topic": ["PATCH", `/messages/${last - 2}`, { topic: "other", ...quietly }],
    "editMessage, later messages": [
      "PATCH",
      `/messages/${last - 4}`,
      { topic: "more", propagate_mode: "change_later" },
    ],
    "editMessage, channel": ["PATCH", `/messages/${last - 6}`, { stream_id: String(channels[1]), ...quietly }],
    updateUserByEmail: ["PATCH", "/users/u9@bench.example", { full_name: "Renamed" }],
    "updateUserByEmail, role": ["PATCH", "/users/u9@bench.example", { role: String(roles.moderator) }],
    muteUser: ["POST", `/users/me/muted_users/${writer}`],
    deactivateUserGroup: ["POST", `/user_groups/${group}/deactivate`],
    updateSubgroups: ["POST", `/user_groups/${group + 1}/subgroups`, { add: `[${group + 2}]` }],
    unsubscribe: ["DELETE", `/users/me/subscriptions?subscriptions=${encodeURIComponent('["channel 0", "extra 5"]')}`],
    addDefaultChannel: ["POST", "/default_streams", { stream_id: String(channels[0]) }],
    removeDefaultChannel: ["DELETE", `/default_streams?stream_id=${channels[0]}`],
    updateMutedTopic: [
      "PATCH",
      "/users/me/subscriptions/muted_topics",
      { stream_id: String(channels[1]), topic: "topic 2", op: "add" },
    ],
    createProfileField: ["POST", "/realm/profile_fields", { name: "Phone", field_type: "1" }],
    updateLinkifier: [
      "PATCH",
      "/realm/filters/1",
      { pattern: "#(?P<id>[0-9]+)", url_template: "https://x.example/{id}" },
    ],
    createReminder: ["POST", "/reminders", { message_id: String(last - 8), scheduled_delivery_timestamp: later }],
    deleteScheduledMessage: ["DELETE", "/scheduled_messages/1"],
    removeNavigationView: ["DELETE", "/navigation_views/recent"],
    deleteAttachment: ["DELETE", "/attachments/1"],
    deactivateOwnUser: ["DELETE", "/users/me"],
  };
  const steps = new Map<string, number>();
  for (const [name, call] of Object.entries(calls)) steps.set(name, await stepsOf(call));
  await close();
  return steps;
}

/** A method, a path below `/api/v1`, and a form. */
type Call = readonly [method: string, path: string, form?: Record<string, string>];

/** Adds users, channels and groups, each related to the reader, the writer or the first channel. */
async function fill(database: Database, size: number) {
  const realm = await database.selectFrom("realm").select("id").where("key", "=", "bench").executeTakeFirstOrThrow();
  const [reader = 0, writer = 0] = await idsOf(database, "user");
  const channels = await idsOf(database, "channel");
  const nobody = await systemGroup(database, realm.id, "nobody");
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(size)})`;
  const added = sql`from "user" where realm_id = ${realm.id} and email like 'u%'`;
  const statements = [
    sql`insert into "user" (realm_id, full_name, email, role)
      ${numbers} select ${realm.id}, 'User ' || i, 'u' || i || '@bench.example', ${roles.member} from n`,
    sql`insert into subscription (realm_id, user_id, channel_id) select ${realm.id}, id, ${channels[0]} ${added}`,
    sql`insert into muted_topic (realm_id, user_id, channel_id, topic)
      select ${realm.id}, id, ${channels[0]}, 'topic 1' ${added}`,
    sql`insert into muted_user (realm_id, user_id, muted_user_id, muted_at) select ${realm.id}, ${reader}, id, 1 ${added}`,
    sql`insert into muted_user (realm_id, user_id, muted_user_id, muted_at) select ${realm.id}, id, ${writer}, 1 ${added}`,
    sql`insert into channel (realm_id, name, can_remove_subscribers_group)
      ${numbers} select ${realm.id}, 'extra ' || i, ${nobody} from n`,
    sql`insert into subscription (realm_id, user_id, channel_id)
      select ${realm.id}, ${reader}, id from channel where realm_id = ${realm.id} and name like 'extra%'`,
    sql`insert into user_group (realm_id, name) ${numbers} select ${realm.id}, 'group ' || i from n`,
    sql`insert into user_group_member (realm_id, group_id, user_id)
      select ${realm.id}, id, ${reader} from user_group where realm_id = ${realm.id} and name like 'group %'`,
  ];
  for (const statement of statements) await statement.execute(database);
  const group = await database
    .selectFrom("user_group")
    .select("id")
    .where("name", "=", "group 1")
    .executeTakeFirstOrThrow();
  return { group: group.id, channels, writer };
}

/** The ids of the people or channels that `fillMessages` created. */
async function idsOf(database: Database, table: "user" | "channel"): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(database);
  return rows.map(({ id }) => id);
}
