import { type ChannelName, type ChatModel, canAccess, canRead, type ModelMessage, type Person } from "./chat-model.js";

/** Conditions, all of which a message must meet. */
export interface ModelNarrow {
  readonly channel?: ChannelName;
  readonly publicChannels?: true;
  readonly topic?: string;
  readonly sender?: Person;
  readonly notSender?: Person;
  readonly is?: "dm" | "resolved" | "unread";
  readonly search?: string;
}

/** A condition as sent. */
interface SentCondition {
  readonly operator: string;
  readonly operand: string | number;
  readonly negated?: true;
}

/** A narrow as sent. */
export function sentNarrow(model: ChatModel, narrow: ModelNarrow): SentCondition[] {
  const { channel, topic, sender, notSender, search } = narrow;
  return [
    ...(channel === undefined ? [] : [{ operator: "channel", operand: channel }]),
    ...(narrow.publicChannels === undefined ? [] : [{ operator: "channels", operand: "public" }]),
    ...(topic === undefined ? [] : [{ operator: "topic", operand: topic }]),
    ...(sender === undefined ? [] : [{ operator: "sender", operand: model.userIds[sender] }]),
    ...(notSender === undefined
      ? []
      : [{ operator: "sender", operand: model.userIds[notSender], negated: true as const }]),
    ...(narrow.is === undefined ? [] : [{ operator: "is", operand: narrow.is }]),
    ...(search === undefined ? [] : [{ operator: "search", operand: search }]),
  ];
}

/** Whether a person may search in these places. */
export function isPermitted(model: ChatModel, person: Person, { channel }: ModelNarrow): boolean {
  return channel === undefined || canAccess(model, person, channel);
}

/** The messages that a range selects from: without a channel operator, those that the person has received. */
export function matching(model: ChatModel, person: Person, narrow: ModelNarrow): ModelMessage[] {
  const isPersonal = narrow.channel === undefined && narrow.publicChannels === undefined;
  return model.messages.filter(
    (message) => (!isPersonal || message.received.has(person)) && isShown(model, person, narrow, message),
  );
}

/** Whether a person may read a message and it meets the conditions. */
export function isShown(model: ChatModel, person: Person, narrow: ModelNarrow, message: ModelMessage): boolean {
  const { place, sender, content } = message;
  const channel = place.kind === "channel" ? place.channel : undefined;
  const topic = place.kind === "channel" ? place.topic : undefined;
  return (
    canRead(model, person, message) &&
    (narrow.channel === undefined || narrow.channel === channel) &&
    (narrow.publicChannels === undefined || (channel !== undefined && !model.channels[channel].isPrivate)) &&
    (narrow.topic === undefined || narrow.topic === topic) &&
    (narrow.sender === undefined || narrow.sender === sender) &&
    (narrow.notSender === undefined || narrow.notSender !== sender) &&
    (narrow.is !== "dm" || place.kind === "direct") &&
    (narrow.is !== "resolved" || topic?.startsWith("✔ ") === true) &&
    (narrow.is !== "unread" || isUnread(person, message)) &&
    (narrow.search === undefined || content.split(" ").includes(narrow.search))
  );
}

export function isUnread(person: Person, { received }: ModelMessage): boolean {
  return received.get(person) === false;
}

/** The requested part of a list. */
export interface ModelRange {
  readonly anchor: number | "newest" | "oldest" | "first_unread";
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
}

/** The expected page. */
export interface ExpectedPage {
  readonly ids: readonly number[];
  readonly found_anchor: boolean;
  readonly found_newest: boolean;
  readonly found_oldest: boolean;
  /** Undefined where the requirements leave it open. */
  readonly anchor: number | undefined;
}

/** The page of a list around an anchor. */
export function pageOf(list: readonly ModelMessage[], person: Person, range: ModelRange): ExpectedPage {
  const all = list.map(({ id }) => id);
  const start = {
    newest: Number.POSITIVE_INFINITY,
    oldest: Number.NEGATIVE_INFINITY,
    first_unread: list.find((message) => isUnread(person, message))?.id ?? all.at(-1) ?? Number.POSITIVE_INFINITY,
  };
  const anchor = typeof range.anchor === "number" ? range.anchor : start[range.anchor];
  const below = all.filter((id) => id < anchor);
  const found_anchor = range.includeAnchor && all.includes(anchor);
  const ids = [
    ...(range.before === 0 ? [] : below.slice(-range.before)),
    ...(found_anchor ? [anchor] : []),
    ...all.filter((id) => id > anchor).slice(0, range.after),
  ];
  return {
    ids,
    found_anchor,
    found_newest: ids.length > 0 ? ids.at(-1) === all.at(-1) : all.every((id) => id <= anchor),
    found_oldest: ids.length > 0 ? ids[0] === all[0] : all.every((id) => id >= anchor),
    anchor: Number.isFinite(anchor) ? anchor : undefined,
  };
}
