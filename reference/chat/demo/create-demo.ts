import { findCaller } from "../authentication.js";
import { secondsNow } from "../clock.js";
import { createGroup, systemGroup } from "../groups/create-group.js";
import { findOrCreateConversation } from "../messages/destination.js";
import { createEditMessage } from "../messages/edit-message/edit-message.js";
import { sendMessage } from "../messages/send-message.js";
import { createOrganization, requireOrganization } from "../organizations/create-organization.js";
import { inTransaction, type Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import { insertAttachment } from "../uploads/attachments.js";
import { storeUpload } from "../uploads/upload-store.js";
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
  // All or nothing, because an incomplete organization would count as created.
  await inTransaction(services, "write", async (within) => {
    const { name, mediaType, text } = demoUpload;
    const bytes = new TextEncoder().encode(text);
    const made = await createPeopleAndPlaces(within);
    const storedAs = await storeUpload(within, made.realm.id, [bytes]);
    const uploader = { realm: made.realm, ownerId: made.people.hamlet };
    const { url } = await insertAttachment(within, uploader, { storedAs, name, mediaType, size: bytes.length });
    const demo = { ...made, upload: `[${name}](${url})` };
    const sent: (readonly [DemoMessage, number])[] = [];
    for (const message of demoMessages) sent.push([message, await send(within, demo, message)]);
    for (const [message, id] of sent) await revise(within, demo, message, id);
  });
}

async function createPeopleAndPlaces({ database }: Services): Promise<Omit<Demo, "upload">> {
  const { id: realm_id } = await createOrganization(database, { key: demoKey, name: "Elsinore Players" });
  const settings = { description: "A company that rehearses Hamlet.", message_content_edit_limit_seconds: null };
  await database.updateTable("realm").set(settings).where("id", "=", realm_id).execute();
  const realm = await requireOrganization(database, demoKey);

  const people = await mapValues(demoPeople, async ({ fullName, role }, name) => {
    const email = `${name}@${realm.host}`;
    return (await createUser(database, { realmId: realm_id, fullName, email, role })).id;
  });
  await createUser(database, {
    realmId: realm_id,
    fullName: "Prompter",
    email: `prompter-bot@${realm.host}`,
    role: demoPeople.horatio.role,
    bot: { ownerId: people.horatio },
  });

  const can_remove_subscribers_group = await systemGroup(database, realm_id, "administrators");
  const channels = await mapValues(demoChannels, async ({ isDefault, isPrivate, subscribers }, name) => {
    const row = { realm_id, name, is_default: isDefault, is_private: isPrivate, can_remove_subscribers_group };
    const { id: channel_id } = await database
      .insertInto("channel")
      .values(row)
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const person of subscribers) {
      await database.insertInto("subscription").values({ realm_id, user_id: people[person], channel_id }).execute();
    }
    return channel_id;
  });

  const group_id = await createGroup(database, realm_id, [people.gertrude], demoSupergroup);
  for (const [name, members] of Object.entries(demoGroups)) {
    const memberIds = members.map((person) => people[person]);
    const subgroup_id = await createGroup(database, realm_id, memberIds, name);
    await database.insertInto("user_group_subgroup").values({ realm_id, group_id, subgroup_id }).execute();
  }

  await database
    .insertInto("linkifier")
    .values({ realm_id, ...demoLinkifier })
    .execute();
  for (const { field_data, ...field } of demoProfileFields) {
    const flags = { display_in_profile_summary: false, required: false, editable_by_user: true };
    const row = { realm_id, ...field, ...flags, field_data: JSON.stringify(field_data) };
    const { id: field_id } = await database
      .insertInto("profile_field")
      .values(row)
      .returning("id")
      .executeTakeFirstOrThrow();
    if (field.name !== "Part") continue;
    for (const [person, { part: value }] of Object.entries(demoPeople)) {
      await database
        .insertInto("profile_value")
        .values({ realm_id, user_id: people[person as DemoPerson], field_id, value })
        .execute();
    }
  }
  return { realm, people, channels };
}

async function send(
  services: Services,
  { realm, people, channels, upload }: Demo,
  message: DemoMessage,
): Promise<number> {
  const { database, clock } = services;
  const senderId = people[message.from];
  const [first, second = ""] = message.to;
  const members = [senderId, ...message.to.map((name) => people[name as DemoPerson])];
  const id = await sendMessage(services, {
    realm,
    senderId,
    to: isChannel(first)
      ? { kind: "channel", channelId: channels[first], topic: second }
      : { kind: "direct", conversationId: await findOrCreateConversation(database, realm.id, members) },
    content: message.content.replace("{upload}", upload),
    sentAt: secondsNow(clock, realm) - message.minutesAgo * 60,
  });
  for (const [person, emoji_name, emoji_code] of message.reactions ?? []) {
    const emoji = { emoji_name, emoji_code, reaction_type: "unicode_emoji" };
    await database
      .insertInto("reaction")
      .values({ realm_id: realm.id, message_id: id, user_id: people[person], ...emoji })
      .execute();
  }
  return id;
}

/** Edits and moves a message through the handlers, with the rights of its users. */
async function revise(
  services: Services,
  { realm, people, channels }: Demo,
  message: DemoMessage,
  message_id: number,
): Promise<void> {
  const edit = createEditMessage(services);
  const as = async (person: DemoPerson) => {
    const caller = await findCaller(services.database, { realm_id: realm.id, id: people[person] });
    if (caller === undefined) throw new Error(`the demo organization has no ${person}`);
    return caller;
  };
  const { editedTo: content, movedTo } = message;
  if (content !== undefined) {
    await edit({
      parameters: { message_id, content },
      caller: await as(message.from),
      featureLevel: 0,
      header: () => undefined,
    });
  }
  if (movedTo !== undefined) {
    const [channel, topic] = movedTo;
    const move = { stream_id: channels[channel], topic, propagate_mode: "change_all" } as const;
    await edit({
      parameters: { message_id, ...move },
      caller: await as("hamlet"),
      featureLevel: 0,
      header: () => undefined,
    });
  }
}

function isChannel(name: string | undefined): name is keyof typeof demoChannels {
  return name !== undefined && Object.hasOwn(demoChannels, name);
}

async function mapValues<Name extends string, Value, Result>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Promise<Result>,
): Promise<Readonly<Record<Name, Result>>> {
  const mapped: Partial<Record<Name, Result>> = {};
  for (const [name, value] of Object.entries(values) as [Name, Value][]) mapped[name] = await map(value, name);
  return mapped as Record<Name, Result>;
}
