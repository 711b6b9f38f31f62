import {
  type ChannelName,
  type ChatModel,
  canAccess,
  canRead,
  linkedUploads,
  type ModelEdit,
  type ModelMessage,
  type Person,
} from "./chat-model.js";

/** Parameters of an edit. */
export interface EditRequest {
  readonly content?: string;
  /** The digest to send. */
  readonly digest?: "right" | "wrong";
  readonly topic?: string;
  readonly channel?: ChannelName;
  readonly mode?: "change_one" | "change_later" | "change_all";
  readonly notifyOld?: boolean;
  readonly notifyNew?: boolean;
}

interface Spot {
  readonly channel: ChannelName;
  readonly topic: string;
}

/** The effect of an allowed edit. */
export interface EditEffect {
  readonly content: string | undefined;
  readonly move:
    | {
        readonly from: Spot;
        readonly to: Spot;
        readonly messages: readonly ModelMessage[];
        /** The edit only resolves or unresolves the whole topic. */
        readonly isResolution: boolean;
        /** Only the mark changes, of the whole topic or of a part of it. */
        readonly changesMarkOnly: boolean;
      }
    | undefined;
}

/** The display name of the empty topic. */
export const emptyTopicName = "general chat";

const mark = "✔ ";
const withoutMark = (topic: string) => (topic.startsWith(mark) ? topic.slice(mark.length) : topic);

/** Computes the effect of an edit in an organization without restrictions; undefined if it is refused. */
export function judgeEdit(
  model: ChatModel,
  by: Person,
  target: ModelMessage,
  request: EditRequest,
): EditEffect | undefined {
  const { place } = target;
  if (!canRead(model, by, target)) return undefined;
  if (place.kind === "direct" && (request.topic !== undefined || request.channel !== undefined)) return undefined;
  if (request.content !== undefined && request.channel !== undefined) return undefined;
  const content = request.content === target.content ? undefined : request.content;
  const from = place.kind === "direct" ? undefined : { channel: place.channel, topic: place.topic };
  const to = from && {
    channel: request.channel ?? from.channel,
    topic: request.topic === undefined ? from.topic : request.topic === emptyTopicName ? "" : request.topic.trim(),
  };
  if (to?.topic === mark.trim()) return undefined;
  const moves = from && to && (from.channel !== to.channel || from.topic !== to.topic) ? { from, to } : undefined;
  if (content === undefined && moves === undefined) return undefined;
  if (moves === undefined && (request.mode ?? "change_one") !== "change_one") return undefined;
  if (request.digest === "wrong") return undefined;
  if (content !== undefined && target.sender !== by) return undefined;
  if (moves === undefined) return { content, move: undefined };
  if (!canAccess(model, by, moves.from.channel) || !canAccess(model, by, moves.to.channel)) return undefined;
  const changesMarkOnly =
    moves.from.channel === moves.to.channel && withoutMark(moves.from.topic) === withoutMark(moves.to.topic);
  const isResolution = changesMarkOnly && request.mode === "change_all";
  const messages = movedMessages(model, target, request).filter((one) => isResolution || canRead(model, by, one));
  return { content, move: { ...moves, messages, isResolution, changesMarkOnly } };
}

function movedMessages(model: ChatModel, target: ModelMessage, { mode }: EditRequest): ModelMessage[] {
  switch (mode ?? "change_one") {
    case "change_one":
      return [target];
    case "change_later":
      return inTopicOf(model, target).filter(({ id }) => id >= target.id);
    case "change_all":
      return inTopicOf(model, target);
  }
}

function inTopicOf({ messages }: ChatModel, { place }: ModelMessage): ModelMessage[] {
  return messages.filter(
    (one) =>
      one.place.kind === "channel" &&
      place.kind === "channel" &&
      one.place.channel === place.channel &&
      one.place.topic === place.topic,
  );
}

/** Applies an edit. Returns the ids of the attachments that the message linked and now no message links, in ascending order. */
export function applyEdit(model: ChatModel, by: Person, target: ModelMessage, { content, move }: EditEffect): number[] {
  const user_id = model.userIds[by];
  const ofContent = content === undefined ? {} : { prev_content: target.content };
  const moved = move?.messages ?? [];
  for (const message of moved) {
    message.edits.push({ user_id, ...(message === target ? ofContent : {}), ...moveEntry(model, move) });
  }
  if (content !== undefined && !moved.includes(target)) target.edits.push({ user_id, ...ofContent });
  for (const message of moved) moveMessage(model, message, move);
  if (content === undefined) return [];
  target.content = content;
  const before = target.links;
  target.links = linkedUploads(model, by, content);
  return [...before]
    .filter((id) => !model.messages.some(({ links }) => links.has(id)))
    .sort((one, other) => one - other);
}

function moveEntry(model: ChatModel, move: EditEffect["move"]): Partial<ModelEdit> {
  if (move === undefined) return {};
  const { from, to } = move;
  return {
    ...(from.topic === to.topic ? {} : { prev_topic: from.topic, topic: to.topic }),
    ...(from.channel === to.channel
      ? {}
      : { prev_stream: model.channels[from.channel].id, stream: model.channels[to.channel].id }),
  };
}

/** Subscribers of the new channel count as having received and read the message; users who may not see it there lose it. */
function moveMessage(model: ChatModel, message: ModelMessage, move: EditEffect["move"]): void {
  if (move === undefined) return;
  const { from, to, isResolution, changesMarkOnly } = move;
  message.place = { kind: "channel", ...to };
  if (!changesMarkOnly) message.moved = "yes";
  else if (!isResolution && message.moved === "no") message.moved = "perhaps";
  if (from.channel === to.channel) return;
  const channel = model.channels[to.channel];
  for (const person of [...message.received.keys()]) {
    if (channel.subscribers.has(person)) continue;
    if (channel.isPrivate || person === "guest") message.received.delete(person);
  }
  for (const person of channel.subscribers) {
    if (model.active.has(person) && !message.received.has(person)) message.received.set(person, true);
  }
}
