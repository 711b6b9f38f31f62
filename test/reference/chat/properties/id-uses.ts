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

type Asks<Value> = readonly (readonly [
  operationId: OperationId,
  place: string,
  ask: (asking: Asking, value: Value) => Promise<Answer>,
])[];

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

const channels = { operator: "channels", operand: "public" } as const;

/** Every use of the id or name of each kind of record. */
export const idUses: { readonly [Kind in keyof IdKinds]: Asks<IdKinds[Kind]> } = {
  message: [
    ["getMessages", "message_ids", ({ call }, id) => call("getMessages", { message_ids: [id] })],
    ["getMessages", "anchor", ({ call }, id) => call("getMessages", { anchor: id, ...range })],
    [
      "getMessages",
      "anchor in public channels",
      ({ call }, id) => call("getMessages", { anchor: id, ...range, narrow: [channels] }),
    ],
    ["getMessages", "narrow id", narrowed("id")],
    [
      "getMessages",
      "narrow id in public channels",
      ({ call }, id) =>
        call("getMessages", { anchor: "oldest", ...range, narrow: [channels, { operator: "id", operand: id }] }),
    ],
    ["getMessages", "narrow near", narrowed("near")],
    [
      "editMessage",
      "message_id, content",
      ({ call }, id) => call("editMessage", { message_id: id, content: "Seized" }),
    ],
    [
      "editMessage",
      "message_id, topic",
      ({ call }, id) => call("editMessage", { message_id: id, topic: "seized", propagate_mode: "change_all" }),
    ],
    [
      "editMessage",
      "message_id, stream_id",
      ({ call, own }, id) => call("editMessage", { message_id: id, stream_id: own.publicChannel }),
    ],
    ["setEditTypingStatus", "", ({ call }, id) => call("setEditTypingStatus", { message_id: id, op: "start" })],
    [
      "createReminder",
      "",
      ({ call }, id) => call("createReminder", { message_id: id, scheduled_delivery_timestamp: 4_000_000_000 }),
    ],
  ],
  channel: [
    ["getMessages", "narrow channel", narrowed("channel")],
    ["getMessages", "narrow channel, as text", narrowed("channel", String)],
    ["getMessages", "narrow channel, negated", narrowed("channel", undefined, true)],
    [
      "editMessage",
      "stream_id",
      ({ call, own }, id) => call("editMessage", { message_id: own.publicMessage, stream_id: id }),
    ],
    [
      "updateMutedTopic",
      "stream_id",
      ({ call }, id) => call("updateMutedTopic", { stream_id: id, topic: "plans", op: "add" }),
    ],
  ],
  channelName: [
    ["getMessages", "narrow channel", narrowed("channel")],
    ["unsubscribe", "subscriptions", ({ call }, name) => call("unsubscribe", { subscriptions: [name] })],
    [
      "updateMutedTopic",
      "stream",
      ({ call }, name) => call("updateMutedTopic", { stream: name, topic: "plans", op: "add" }),
    ],
  ],
  user: [
    ["getUserStatus", "", ({ call }, id) => call("getUserStatus", { user_id: id })],
    ["muteUser", "", ({ call }, id) => call("muteUser", { muted_user_id: id })],
    ["getMessages", "narrow sender", narrowed("sender")],
    ["getMessages", "narrow sender, negated", narrowed("sender", undefined, true)],
    ["getMessages", "narrow dm", narrowed("dm", (id) => [id])],
    ["getMessages", "narrow dm-including", narrowed("dm-including")],
    [
      "unsubscribe",
      "principals",
      ({ call }, id) => call("unsubscribe", { subscriptions: ["Lobby"], principals: [id] }),
    ],
  ],
  email: [
    ["updateUserByEmail", "", ({ call }, email) => call("updateUserByEmail", { email, full_name: "Seized" })],
    ["getMessages", "narrow sender", narrowed("sender")],
    ["getMessages", "narrow dm", narrowed("dm")],
    [
      "unsubscribe",
      "principals",
      ({ call }, email) => call("unsubscribe", { subscriptions: ["Lobby"], principals: [email] }),
    ],
  ],
  group: [
    ["deactivateUserGroup", "", ({ call }, id) => call("deactivateUserGroup", { user_group_id: id })],
    [
      "updateSubgroups",
      "user_group_id",
      ({ call, own }, id) => call("updateSubgroups", { user_group_id: id, add: [own.group] }),
    ],
    ["updateSubgroups", "add", ({ call, own }, id) => call("updateSubgroups", { user_group_id: own.group, add: [id] })],
    [
      "updateSubgroups",
      "delete",
      ({ call, own }, id) => call("updateSubgroups", { user_group_id: own.group, delete: [id] }),
    ],
  ],
  linkifier: [["updateLinkifier", "", ({ call }, id) => call("updateLinkifier", { filter_id: id, ...digits })]],
  profileField: [
    [
      "updateUserByEmail",
      "profile_data",
      ({ call, own }, id) =>
        call("updateUserByEmail", { email: own.userEmail, profile_data: [{ id, value: "they/them" }] }),
    ],
  ],
  attachment: [["deleteAttachment", "", ({ call }, id) => call("deleteAttachment", { attachment_id: id })]],
  uploadUrl: [
    ["uploadFile", "GET of the url", ({ fetch }, url) => fetch(url)],
    ["uploadFile", "GET of a part of the url", ({ fetch }, url) => fetch(url, { headers: { Range: "bytes=0-1" } })],
  ],
  scheduledMessage: [
    ["deleteScheduledMessage", "", ({ call }, id) => call("deleteScheduledMessage", { scheduled_message_id: id })],
  ],
  view: [["removeNavigationView", "", ({ call }, fragment) => call("removeNavigationView", { fragment })]],
  androidToken: [["removeAndroidToken", "", ({ call }, token) => call("removeAndroidToken", { token })]],
};

/** Uses of channel ids by administrators, who may know every channel of their organization. */
export const administeredChannels: Asks<number> = [
  ["addDefaultChannel", "stream_id", ({ call }, id) => call("addDefaultChannel", { stream_id: id })],
  ["removeDefaultChannel", "stream_id", ({ call }, id) => call("removeDefaultChannel", { stream_id: id })],
];
