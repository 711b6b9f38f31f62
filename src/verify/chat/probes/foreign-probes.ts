import { makeProbe, refusalOf, sentValue, successesOf } from "./listed-probes.js";
import type { Expectation, Probe } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** A parameter that names something of an organization. */
interface ForeignName {
  readonly operationId: string;
  readonly parameter: string;
  /** The rule about a name that belongs to nothing that the caller has access to. */
  readonly rule?: string;
  /** By default a refusal as the cases of the rule have it. */
  readonly expectation?: Expectation;
}

const refused: Expectation = { kind: "refused-some-way" };

/**
 * What another organization has does not exist for the caller. Where `docs/open-questions.md` leaves open how something is answered that
 * exists and that the caller has no access to, no more is expected than a refusal.
 */
const foreignNames: readonly ForeignName[] = [
  { operationId: "deleteAttachment", parameter: "attachment_id", expectation: refused },
  { operationId: "addDefaultChannel", parameter: "stream_id", rule: "default-channels.add.invalid-channel" },
  { operationId: "removeDefaultChannel", parameter: "stream_id", rule: "default-channels.remove.invalid-channel" },
  {
    operationId: "getMessages",
    parameter: "message_ids",
    rule: "messages.get.message-ids-inaccessible",
    expectation: { kind: "succeeds" },
  },
  { operationId: "getMessages", parameter: "anchor", expectation: { kind: "any" } },
  { operationId: "editMessage", parameter: "message_id", rule: "errors.invalid-id" },
  { operationId: "editMessage", parameter: "stream_id", expectation: refused },
  { operationId: "setEditTypingStatus", parameter: "message_id", expectation: refused },
  { operationId: "updateLinkifier", parameter: "filter_id", rule: "linkifiers.update.unknown-linkifier" },
  { operationId: "createReminder", parameter: "message_id", expectation: refused },
  { operationId: "deleteScheduledMessage", parameter: "scheduled_message_id", expectation: refused },
  { operationId: "deactivateUserGroup", parameter: "user_group_id", rule: "user-groups.deactivate.invalid-group" },
  { operationId: "updateSubgroups", parameter: "user_group_id", rule: "user-groups.update-subgroups.unknown-group" },
  { operationId: "updateSubgroups", parameter: "add", rule: "user-groups.update-subgroups.unknown-added-group" },
  { operationId: "updateSubgroups", parameter: "delete", rule: "user-groups.update-subgroups.unknown-deleted-group" },
  { operationId: "updateUserByEmail", parameter: "email", expectation: refused },
  { operationId: "updateUserByEmail", parameter: "profile_data", expectation: refused },
  { operationId: "getUserStatus", parameter: "user_id", expectation: refused },
  { operationId: "muteUser", parameter: "muted_user_id", rule: "users.mute.unknown-user" },
  { operationId: "unsubscribe", parameter: "principals", rule: "subscriptions.remove.unknown-principal" },
  { operationId: "unsubscribe", parameter: "principals", rule: "subscriptions.remove.unknown-principal-forbidden" },
  { operationId: "updateMutedTopic", parameter: "stream_id", rule: "topics.mute.unknown-channel-id" },
  { operationId: "removeAndroidToken", parameter: "token", expectation: refused },
];

/** Names of what another organization has, in the place of the caller's own. */
export function foreignProbes(operation: ProbedOperation): Probe[] {
  return foreignNames
    .filter(
      ({ operationId, rule }) =>
        operationId === operation.operationId && (rule === undefined || operation.rules.has(rule)),
    )
    .flatMap(({ parameter, rule, expectation }) => {
      const sending = successesOf(operation).filter((one) => sentValue(one, parameter) !== undefined);
      // An anchor may be a word, too, which names nothing.
      const ids = sending.filter((one) => typeof sentValue(one, parameter) !== "string");
      const bases = ids.length > 0 ? ids : sending;
      // A caller who may do everything, so that nothing but the name is wrong.
      const base = bases.find(({ as }) => as === "administrator" || as === "owner") ?? bases[0];
      if (base === undefined) return [];
      return [
        makeProbe(operation, {
          name: `${parameter}-of-another-organization`,
          summary: `\`${parameter}\` names what another organization has`,
          rules: rule === undefined ? [] : [rule],
          base,
          change: { kind: "foreign", parameter },
          expectation: expectation ?? (rule === undefined ? refused : refusalOf(operation, rule)),
        }),
      ];
    });
}
