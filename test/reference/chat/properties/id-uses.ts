import type { OperationId } from "../../../../src/chat/operation-types.js";
import type { Answer } from "../../../support/answer-of.js";
import type { PopulatedValues } from "../../../support/populated-organization.js";

/** Calls of one caller, in an organization with these records. */
export interface Asking {
  readonly call: (operationId: OperationId, parameters: object) => Promise<Answer>;
  /** Fetches a path of the server with the same credentials. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Answer>;
  readonly own: PopulatedValues;
}

/** Kinds of records with ids or names. */
export interface IdKinds {
  readonly message: number;
  readonly channel: number;
  readonly channelName: string;
  readonly user: number;
  readonly email: string;
  readonly group: number;
  readonly linkifier: number;
  readonly profileField: number;
  readonly attachment: number;
  readonly uploadUrl: string;
  readonly scheduledMessage: number;
  readonly view: string;
  readonly androidToken: string;
}

type Ask<Value> = readonly [
  operationId: OperationId,
  place: string,
  ask: (asking: Asking, value: Value) => Promise<Answer>,
];
type Asks<Value> = readonly Ask<Value>[];

const range = { num_before: 5, num_after: 5, apply_markdown: false } as const;
const digits = { pattern: "!(?P<id>[0-9]+)", url_template: "https://reviews.example/{id}" };

function narrowed(
  operator: string,
  operandOf: (value: number | string) => unknown = (value) => value,
  negated = false,
) {
  return ({ call }: Asking, value: number | string) =>
    call("getMessages", { anchor: "oldest", ...range, narrow: [{ operator, operand: operandOf(value), negated }] });
}

/** A call of an operation with parameters that hold the value. */
function use<Value>(
  operationId: OperationId,
  place: string,
  parametersOf: (value: Value, own: PopulatedValues) => object,
): Ask<Value> {
  return [operationId, place, ({ call, own }, value) => call(operationId, parametersOf(value, own))];
}

const channels = { operator: "channels", operand: "public" } as const;

/** Every use of the id or name of each kind of record. */
export const idUses: { readonly [Kind in keyof IdKinds]: Asks<IdKinds[Kind]> } = {
  message: [
    use("getMessages", "message_ids", (id) => ({ message_ids: [id] })),
    use("getMessages", "anchor", (id) => ({ anchor: id, ...range })),
    use("getMessages", "anchor in public channels", (id) => ({ anchor: id, ...range, narrow: [channels] })),
    use("editMessage", "message_id, content", (id) => ({ message_id: id, content: "Seized" })),
    use("editMessage", "message_id, topic", (id) => ({
      message_id: id,
      topic: "seized",
      propagate_mode: "change_all",
    })),
    use("editMessage", "message_id, stream_id", (id, own) => ({ message_id: id, stream_id: own.publicChannel })),
    use("setEditTypingStatus", "", (id) => ({ message_id: id, op: "start" })),
    use("createReminder", "", (id) => ({ message_id: id, scheduled_delivery_timestamp: 4_000_000_000 })),
  ],
  channel: [
    ["getMessages", "narrow channel", narrowed("channel")],
    ["getMessages", "narrow channel, as text", narrowed("channel", String)],
    ["getMessages", "narrow channel, negated", narrowed("channel", undefined, true)],
    use("editMessage", "stream_id", (id, own) => ({ message_id: own.publicMessage, stream_id: id })),
    use("updateMutedTopic", "stream_id", (id) => ({ stream_id: id, topic: "plans", op: "add" })),
  ],
  channelName: [
    ["getMessages", "narrow channel", narrowed("channel")],
    use("unsubscribe", "subscriptions", (name) => ({ subscriptions: [name] })),
    use("updateMutedTopic", "stream", (name) => ({ stream: name, topic: "plans", op: "add" })),
  ],
  user: [
    use("getUserStatus", "", (id) => ({ user_id: id })),
    use("muteUser", "", (id) => ({ muted_user_id: id })),
    ["getMessages", "narrow sender", narrowed("sender")],
    ["getMessages", "narrow sender, negated", narrowed("sender", undefined, true)],
    ["getMessages", "narrow dm", narrowed("dm", (id) => [id])],
    ["getMessages", "narrow dm-including", narrowed("dm-including")],
    use("unsubscribe", "principals", (id) => ({ subscriptions: ["Lobby"], principals: [id] })),
  ],
  email: [
    use("updateUserByEmail", "", (email) => ({ email, full_name: "Seized" })),
    ["getMessages", "narrow sender", narrowed("sender")],
    ["getMessages", "narrow dm", narrowed("dm")],
    use("unsubscribe", "principals", (email) => ({ subscriptions: ["Lobby"], principals: [email] })),
  ],
  group: [
    use("deactivateUserGroup", "", (id) => ({ user_group_id: id })),
    use("updateSubgroups", "user_group_id", (id, own) => ({ user_group_id: id, add: [own.group] })),
    use("updateSubgroups", "add", (id, own) => ({ user_group_id: own.group, add: [id] })),
    use("updateSubgroups", "delete", (id, own) => ({ user_group_id: own.group, delete: [id] })),
  ],
  linkifier: [use("updateLinkifier", "", (id) => ({ filter_id: id, ...digits }))],
  profileField: [
    use("updateUserByEmail", "profile_data", (id, own) => ({
      email: own.userEmail,
      profile_data: [{ id, value: "they/them" }],
    })),
  ],
  attachment: [use("deleteAttachment", "", (id) => ({ attachment_id: id }))],
  uploadUrl: [
    ["uploadFile", "GET of the url", ({ fetch }, url) => fetch(url)],
    ["uploadFile", "GET of a part of the url", ({ fetch }, url) => fetch(url, { headers: { Range: "bytes=0-1" } })],
  ],
  scheduledMessage: [use("deleteScheduledMessage", "", (id) => ({ scheduled_message_id: id }))],
  view: [use("removeNavigationView", "", (fragment) => ({ fragment }))],
  androidToken: [use("removeAndroidToken", "", (token) => ({ token }))],
};

/** Uses of channel ids by administrators, who may know every channel of their organization. */
export const administeredChannels: Asks<number> = [
  use("addDefaultChannel", "stream_id", (id) => ({ stream_id: id })),
  use("removeDefaultChannel", "stream_id", (id) => ({ stream_id: id })),
];
