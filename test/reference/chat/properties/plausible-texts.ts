import { createHash } from "node:crypto";
import type { OperationId } from "../../../../src/chat/operation-types.js";
import { names, type PopulatedOrganization } from "../../../support/populated-organization.js";

/** Sets of parameters for operations that do not accept all parameters at once. */
export const parametersTogether: Readonly<Partial<Record<OperationId, readonly (readonly string[])[]>>> = {
  getMessages: [
    ["anchor", "num_before", "num_after", "narrow"],
    ["anchor", "num_before", "num_after", "apply_markdown", "client_gravatar"],
    ["message_ids", "narrow", "allow_empty_topic_name"],
    ["use_first_unread_anchor", "num_before", "num_after"],
  ],
  editMessage: [
    ["content"],
    ["content", "prev_content_sha256"],
    ["topic", "propagate_mode", "send_notification_to_old_thread"],
    ["stream_id", "topic", "propagate_mode", "send_notification_to_new_thread"],
  ],
  createProfileField: [
    ["field_type"],
    ["name", "hint", "field_type", "field_data"],
    ["name", "field_type", "display_in_profile_summary", "required", "editable_by_user"],
  ],
  updateMutedTopic: [
    ["stream_id", "topic", "op"],
    ["stream", "topic", "op"],
  ],
  updateUserByEmail: [["full_name"], ["role"], ["profile_data"], ["new_email"]],
  updateSubgroups: [["add"], ["delete"], ["add", "delete"]],
  unsubscribe: [["subscriptions"], ["subscriptions", "principals"]],
};

/** Plausible values by parameter name, so that requests pass the checks. */
export function plausibleTexts({
  has,
  credentials,
}: PopulatedOrganization): Readonly<Record<string, readonly string[]>> {
  const ids = (...some: readonly number[]) => some.map(String);
  const messages = ids(has.publicMessage, has.privateMessage, has.directMessage);
  const channels = ids(has.publicChannel, has.privateChannel);
  const groups = ids(has.group, has.otherGroup);
  const users = ids(has.user, ...["member", "other", "guest", "bot"].map((caller) => credentials(caller).user_id));
  const flags = ["true", "false"];
  const lists = (some: readonly string[]) => some.flatMap((one) => [`[${one}]`, `[${one},${one}]`]);
  return {
    anchor: [...messages, "newest", "oldest", "first_unread"],
    num_before: ["0", "1", "4999"],
    num_after: ["0", "0", "1"],
    narrow: [
      "[]",
      `[["channel","${names.publicChannel}"]]`,
      `[{"operator":"search","operand":"open -dark"}]`,
      `[{"operator":"dm","operand":${users[1]},"negated":true}]`,
      '[{"operator":"is","operand":"muted"},{"operator":"is","operand":"resolved"}]',
    ],
    message_ids: lists(messages),
    message_id: messages,
    topic: [names.topic, `\u2714 ${names.topic}`, "", "other"],
    propagate_mode: ["change_one", "change_later", "change_all"],
    content: ["Changed", "@**all**", `[a](${has.attachmentUrl})`],
    prev_content_sha256: [createHash("sha256").update("In the open").digest("hex")],
    stream_id: channels,
    stream: [names.publicChannel, names.privateChannel],
    op: ["start", "stop", "add", "remove"],
    token_kind: ["ios", "android"],
    push_account_id: ["1", "4294967296"],
    push_public_key: [Buffer.alloc(32).toString("base64")],
    encrypted_push_registration: [Buffer.alloc(64).toString("base64")],
    bouncer_public_key: [has.bouncerPublicKey],
    fragment: [names.view, "inbox", "a/b/c"],
    filter_id: ids(has.linkifier),
    pattern: ["#(?P<id>[0-9]+)", "x(?P<id>.*)"],
    url_template: ["https://example.com/{id}", "https://example.com/x{?id}"],
    name: Array.from({ length: 40 }, (_, nth) => `Size ${nth}`),
    hint: ["A number"],
    field_type: ["1", "2", "3", "4", "5", "6", "7", "8"],
    field_data: ['{"1":{"text":"a","order":"1"}}', "{}", '{"subtype":"github"}'],
    scheduled_delivery_timestamp: ["0", "1", "253402300800", "99999999999999"],
    note: ["Remember"],
    scheduled_message_id: ids(has.scheduledMessage),
    user_group_id: groups,
    add: lists(groups),
    delete: lists(groups),
    email: [has.userEmail, `user${has.user}@nowhere.example`],
    full_name: ["Somebody Else"],
    role: ["100", "200", "300", "400", "600"],
    profile_data: [`[{"id":${has.profileField},"value":"x"}]`],
    new_email: ["new@example.com"],
    user_id: users,
    muted_user_id: users,
    token: [has.androidToken, "a".repeat(64)],
    appid: ["org.example"],
    subscriptions: [`["${names.publicChannel}"]`, `["${names.privateChannel}","nowhere"]`],
    principals: lists(users),
    attachment_id: ids(has.attachment),
    include_anchor: flags,
    client_gravatar: flags,
    apply_markdown: flags,
    allow_empty_topic_name: flags,
    use_first_unread_anchor: flags,
    send_notification_to_old_thread: flags,
    send_notification_to_new_thread: flags,
    display_in_profile_summary: flags,
    required: flags,
    editable_by_user: flags,
  };
}
