import { type ChatSetup, setUpChat } from "./set-up-chat.js";

/** Ids and names in a populated organization. */
export interface PopulatedValues {
  readonly publicMessage: number;
  readonly privateMessage: number;
  readonly directMessage: number;
  readonly publicChannel: number;
  readonly privateChannel: number;
  readonly user: number;
  readonly userEmail: string;
  readonly group: number;
  readonly otherGroup: number;
  readonly linkifier: number;
  readonly profileField: number;
  readonly attachment: number;
  readonly attachmentUrl: string;
  readonly scheduledMessage: number;
  readonly androidToken: string;
  readonly bouncerPublicKey: string;
}

/** An organization with objects of each kind. */
export interface PopulatedOrganization extends ChatSetup {
  readonly has: PopulatedValues;
}

/** Names that are the same in every populated organization. */
export const names = {
  publicChannel: "Lobby",
  privateChannel: "Cellar",
  topic: "plans",
  group: "painters",
  otherGroup: "plumbers",
  view: "narrow/is/starred",
} as const;

/**
 * Creates a populated organization on a server with provider states: a public channel of all callers and a private one of `other`,
 * each with a message from `other`, a direct message from `other` to `moderator`, and objects of every other kind. `other` owns them.
 */
export async function populateOrganization(server: {
  readonly url: string;
  readonly statesUrl?: string;
}): Promise<PopulatedOrganization> {
  const from = "other";
  const everyone = ["member", "other", "moderator", "administrator", "owner", "guest"];
  const setup = await setUpChat(
    server,
    { state: "organization" },
    { state: "channel", params: { name: names.publicChannel, subscribers: everyone }, rename: { stream_id: "public" } },
    {
      state: "channel",
      params: { name: names.privateChannel, private: true, subscribers: [from] },
      rename: { stream_id: "private" },
    },
    {
      state: "message",
      params: { from, channel: names.publicChannel, topic: names.topic, content: "In the open" },
      rename: { message_id: "inPublic" },
    },
    {
      state: "message",
      params: { from, channel: names.privateChannel, topic: names.topic, content: "In the dark" },
      rename: { message_id: "inPrivate" },
    },
    {
      state: "message",
      params: { from, to: ["moderator"], content: "Between us" },
      rename: { message_id: "direct" },
    },
    { state: "scheduled-message", params: { from, to: ["moderator"], content: "Later", in_seconds: 86_400 } },
    { state: "navigation-view", params: { of: from, fragment: names.view } },
    { state: "attachment", params: { from, name: "plan.txt" } },
    { state: "android-token", params: { of: from } },
    { state: "user", params: { full_name: "Ulla User" } },
    { state: "user-group", params: { name: names.group, members: [from] }, rename: { user_group_id: "group" } },
    { state: "user-group", params: { name: names.otherGroup }, rename: { user_group_id: "otherGroup" } },
    { state: "linkifier", params: { pattern: "#(?P<id>[0-9]+)", url_template: "https://issues.example/{id}" } },
    { state: "profile-field", params: { name: "Pronouns" } },
  );
  const { id, values } = setup;
  return {
    ...setup,
    has: {
      publicMessage: id("inPublic"),
      privateMessage: id("inPrivate"),
      directMessage: id("direct"),
      publicChannel: id("public"),
      privateChannel: id("private"),
      user: id("user_id"),
      userEmail: String(values.email),
      group: id("group"),
      otherGroup: id("otherGroup"),
      linkifier: id("filter_id"),
      profileField: id("profile_field_id"),
      attachment: id("attachment_id"),
      attachmentUrl: String(values.url),
      scheduledMessage: id("scheduled_message_id"),
      androidToken: String(values.token),
      bouncerPublicKey: String(values.bouncer_public_key),
    },
  };
}
