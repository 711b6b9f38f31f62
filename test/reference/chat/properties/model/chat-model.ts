/** The participants of a model run. The owner is always subscribed to all channels. */
export const people = ["owner", "administrator", "moderator", "member", "other", "guest"] as const;
export type Person = (typeof people)[number];

export const channelNames = ["open", "closed", "guarded"] as const;
export type ChannelName = (typeof channelNames)[number];

export interface ModelChannel {
  readonly id: number;
  readonly isPrivate: boolean;
  /** Subscribers see only what they received. */
  readonly isProtected: boolean;
  readonly subscribers: Set<Person>;
}

/** The place of a message. */
export type Place =
  | { readonly kind: "channel"; readonly channel: ChannelName; readonly topic: string }
  | { readonly kind: "direct"; readonly people: readonly Person[] };

/** One entry of the edit history, without rendered content and time. */
export interface ModelEdit {
  readonly user_id: number;
  readonly prev_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

export interface ModelMessage {
  readonly id: number;
  readonly sender: Person | "notification bot";
  readonly original: { readonly place: Place; readonly content: string };
  place: Place;
  content: string;
  /** The recipients, and whether they have read it. */
  readonly received: Map<Person, boolean>;
  /** The oldest first. */
  readonly edits: ModelEdit[];
  /** `perhaps` after moves that may count as resolving the topic. */
  moved: "no" | "perhaps" | "yes";
  /** Ids of the attachments that it links. */
  links: ReadonlySet<number>;
}

export interface ModelUpload {
  readonly id: number;
  readonly owner: Person;
  readonly markdown: string;
}

/** The simplest possible model of a chat server: the requirements as a program. */
export interface ChatModel {
  readonly userIds: Readonly<Record<Person, number>>;
  readonly channels: Readonly<Record<ChannelName, ModelChannel>>;
  readonly active: Set<Person>;
  readonly mutedBy: Readonly<Record<Person, Set<Person>>>;
  /** In the order of their ids. */
  readonly messages: ModelMessage[];
  readonly uploads: ModelUpload[];
}

export function isAdministrator(person: Person): boolean {
  return person === "owner" || person === "administrator";
}

/** Whether a person may know that a channel exists. */
export function canAccess(model: ChatModel, person: Person, name: ChannelName): boolean {
  const channel = model.channels[name];
  return channel.subscribers.has(person) || (!channel.isPrivate && person !== "guest");
}

/** Whether a person may read a message. */
export function canRead(model: ChatModel, person: Person, { place, received }: ModelMessage): boolean {
  if (place.kind === "direct") return place.people.includes(person);
  const channel = model.channels[place.channel];
  const isSubscribed = channel.subscribers.has(person);
  if (channel.isPrivate) return isSubscribed && (!channel.isProtected || received.has(person));
  return person !== "guest" || isSubscribed || received.has(person);
}

/** Adds and delivers a message that the server has accepted. */
export function deliver(
  model: ChatModel,
  sent: Pick<ModelMessage, "id" | "sender" | "place" | "content" | "links">,
  readBy: readonly Person[],
): ModelMessage {
  const { sender, place, content } = sent;
  const recipients = place.kind === "direct" ? place.people : [...model.channels[place.channel].subscribers];
  const hasRead = (person: Person) =>
    person === sender ||
    readBy.includes(person) ||
    (sender !== "notification bot" && model.mutedBy[person].has(sender));
  const message: ModelMessage = {
    ...sent,
    original: { place, content },
    received: new Map(
      recipients.filter((person) => model.active.has(person)).map((person) => [person, hasRead(person)]),
    ),
    edits: [],
    moved: "no",
  };
  model.messages.push(message);
  return message;
}

/** The attachments that a text links, if its author uploaded them. */
export function linkedUploads(model: ChatModel, author: Person, content: string): ReadonlySet<number> {
  const own = model.uploads.filter(({ owner, markdown }) => owner === author && content.includes(markdown));
  return new Set(own.map(({ id }) => id));
}
