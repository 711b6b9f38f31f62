import { secondsNow } from "../clock.js";
import { createGroup, systemGroup } from "../groups/create-group.js";
import { findConversation } from "../messages/destination.js";
import { createEditMessage } from "../messages/edit-message/edit-message.js";
import { sendMessage } from "../messages/send-message.js";
import { createOrganization, findOrganization } from "../organizations/create-organization.js";
import type { Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import { insertAttachment } from "../uploads/attachments.js";
import { createUser } from "../users/create-user.js";
import {
  type DemoMessage,
  type DemoPerson,
  demoChannels,
  demoGroups,
  demoKey,
  demoLinkifier,
  demoMessages,
  demoPeople,
  demoProfileFields,
  demoSupergroup,
  demoUpload,
} from "./demo-content.js";

type Ids<Name extends string> = Readonly<Record<Name, number>>;

/** The ids of the demo organization's records, by name. */
interface Demo {
  readonly realm: Realm;
  readonly people: Ids<DemoPerson>;
  readonly channels: Ids<keyof typeof demoChannels>;
  /** Markdown of a link to the uploaded file. */
  readonly upload: string;
}

/** Creates the demo organization. Nobody knows the keys of its accounts yet. Throws if it already exists. */
export async function createDemo(services: Services): Promise<void> {
  const { database, uploads } = services;
  const { name, mediaType, text } = demoUpload;
  const bytes = new TextEncoder().encode(text);
  const storedAs = await uploads.store(bytes);
  try {
    // All or nothing, because an incomplete organization would count as created.
    database.transaction(() => {
      const made = createPeopleAndPlaces(services);
      const uploader = { realm: made.realm, ownerId: made.people.hamlet };
      const { url } = insertAttachment(services, uploader, { storedAs, name, mediaType, size: bytes.length });
      const demo = { ...made, upload: `[${name}](${url})` };
      const sent = demoMessages.map((message) => [message, send(services, demo, message)] as const);
      for (const [message, id] of sent) revise(services, demo, message, id);
    });
    await database.settled();
  } catch (error) {
    await uploads.remove(storedAs);
    throw error;
  }
}

function createPeopleAndPlaces({ database }: Services): Omit<Demo, "upload"> {
  const { sql } = database;
  const { id: realm_id } = createOrganization(database, { key: demoKey, name: "Elsinore Players" });
  const settings = { description: "A company that rehearses Hamlet.", message_content_edit_limit_seconds: null };
  database.run(sql.updateTable("realm").set(settings).where("id", "=", realm_id));
  const realm = findOrganization(database, demoKey);

  const people = mapValues(demoPeople, ({ fullName, role }, name) => {
    return createUser(database, { realmId: realm_id, fullName, email: `${name}@${realm.host}`, role }).id;
  });
  createUser(database, {
    realmId: realm_id,
    fullName: "Prompter",
    email: `prompter-bot@${realm.host}`,
    role: demoPeople.horatio.role,
    bot: { ownerId: people.horatio },
  });

  const can_remove_subscribers_group = systemGroup(database, realm_id, "administrators");
  const channels = mapValues(demoChannels, ({ isDefault, isPrivate, subscribers }, name) => {
    const row = { realm_id, name, is_default: isDefault, is_private: isPrivate, can_remove_subscribers_group };
    const { insertedId: channel_id } = database.run(sql.insertInto("channel").values(row));
    for (const person of subscribers) {
      database.run(sql.insertInto("subscription").values({ user_id: people[person], channel_id }));
    }
    return channel_id;
  });

  const group_id = createGroup(database, realm_id, [people.gertrude], demoSupergroup);
  for (const [name, members] of Object.entries(demoGroups)) {
    const memberIds = members.map((person) => people[person]);
    const subgroup_id = createGroup(database, realm_id, memberIds, name);
    database.run(sql.insertInto("user_group_subgroup").values({ group_id, subgroup_id }));
  }

  database.run(sql.insertInto("linkifier").values({ realm_id, ...demoLinkifier }));
  for (const { field_data, ...field } of demoProfileFields) {
    const flags = { display_in_profile_summary: false, required: false, editable_by_user: true };
    const row = { realm_id, ...field, ...flags, field_data: JSON.stringify(field_data) };
    const { insertedId: field_id } = database.run(sql.insertInto("profile_field").values(row));
    if (field.name !== "Part") continue;
    for (const [person, { part: value }] of Object.entries(demoPeople)) {
      database.run(sql.insertInto("profile_value").values({ user_id: people[person as DemoPerson], field_id, value }));
    }
  }
  return { realm, people, channels };
}

function send(services: Services, { realm, people, channels, upload }: Demo, message: DemoMessage): number {
  const { database, clock } = services;
  const senderId = people[message.from];
  const [first, second = ""] = message.to;
  const members = [senderId, ...message.to.map((name) => people[name as DemoPerson])];
  const id = sendMessage(services, {
    realm,
    senderId,
    to: isChannel(first)
      ? { kind: "channel", channelId: channels[first], topic: second }
      : { kind: "direct", conversationId: findConversation(database, realm.id, members) },
    content: message.content.replace("{upload}", upload),
    sentAt: secondsNow(clock, realm) - message.minutesAgo * 60,
  });
  for (const [person, emoji_name, emoji_code] of message.reactions ?? []) {
    const emoji = { emoji_name, emoji_code, reaction_type: "unicode_emoji" };
    database.run(database.sql.insertInto("reaction").values({ message_id: id, user_id: people[person], ...emoji }));
  }
  return id;
}

/** Edits and moves a message through the handlers, with the rights of its users. */
function revise(services: Services, { realm, people, channels }: Demo, message: DemoMessage, message_id: number): void {
  const { database } = services;
  const edit = createEditMessage(services);
  const as = (person: DemoPerson) => {
    const user = database.first(database.sql.selectFrom("user").selectAll().where("id", "=", people[person]));
    if (user === undefined) throw new Error(`the demo organization has no ${person}`);
    return { user, realm };
  };
  const { editedTo: content, movedTo } = message;
  if (content !== undefined) {
    edit({ parameters: { message_id, content }, caller: as(message.from), featureLevel: 0 });
  }
  if (movedTo !== undefined) {
    const [channel, topic] = movedTo;
    const move = { stream_id: channels[channel], topic, propagate_mode: "change_all" } as const;
    edit({ parameters: { message_id, ...move }, caller: as("hamlet"), featureLevel: 0 });
  }
}

function isChannel(name: string | undefined): name is keyof typeof demoChannels {
  return name !== undefined && Object.hasOwn(demoChannels, name);
}

function mapValues<Name extends string, Value, Result>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Result,
): Readonly<Record<Name, Result>> {
  const entries = Object.entries(values) as [Name, Value][];
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)])) as Record<Name, Result>;
}
