import { parseJson } from "../../../../src/base/parse-json.js";
import { ofFamily } from "../../fault.js";
import { matches } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure } from "../messages.js";
import { headerOf } from "../wire.js";

/** Wrong parsing of requests. */
export const parameterFaults: readonly ChatFault[] = ofFamily("parameters", [
  fault("unknown-parameters-not-reported", "does not report ignored parameters")
    .breaks("conventions.ignored-parameters")
    .checkedBy("probe deactivateUserGroup/unknown-parameters")
    .omits("deactivateUserGroup", "ignored_parameters_unsupported"),
  fault("one-unknown-parameter-reported", "reports only one of several ignored parameters")
    .breaks("conventions.ignored-parameters")
    .checkedBy("probe createProfileField/unknown-parameters")
    .changes("createProfileField", "ignored_parameters_unsupported", (ignored) => (ignored as string[]).slice(0, 1)),
  fault("supported-parameters-reported", "reports supported parameters as ignored")
    .breaks("conventions.ignored-parameters")
    .checkedBy("probe updateMutedTopic/unknown-parameters")
    .changes("updateMutedTopic", "ignored_parameters_unsupported", (ignored) => [...(ignored as string[]), "topic"]),
  fault("phantom-parameter-reported", "reports a parameter as ignored that the request lacks")
    .breaks("conventions.ignored-parameters-only")
    .adds("getUserStatus", "ignored_parameters_unsupported", ["phantom"]),
  fault("unknown-parameters-refused", "rejects unknown parameters")
    .breaks("conventions.unsupported-parameters")
    .checkedBy("probe muteUser/unknown-parameters")
    .changesResponse("muteUser", ({ body }) => (String(body).includes("ignored_parameters") ? failure() : undefined)),
  fault("json-read-as-text", "treats the JSON text of a list as one name")
    .breaks("conventions.json-in-form")
    .checkedBy("case unsubscribe/other_user_by_id", "workflow conventions-form")
    .reads("unsubscribe", "subscriptions", (text) => JSON.stringify([text])),
  fault("text-accepted-for-json", "ignores a list that is not valid JSON")
    .breaks("getMessages")
    .checkedBy("probe getMessages/narrow-wrong-no-json")
    .ignores("getMessages", "narrow", (parameters) => parseJson(parameters.get("narrow") ?? "") === undefined),
  fault("items-of-wrong-type-accepted", "skips list items of the wrong type")
    .breaks("getMessages")
    .checkedBy("probe getMessages/message_ids-wrong-item")
    .readsList("getMessages", "message_ids", (ids) => ids.filter(Number.isInteger)),
  fault("word-read-as-zero", "reads a word as the number 0")
    .breaks("getMessages")
    .checkedBy("probe getMessages/num_before")
    .reads("getMessages", ["num_before", "num_after"], (text) => String(Number.parseInt(text, 10) || 0)),
  fault("word-read-as-false", "reads every word except `true` as false")
    .breaks("getMessages")
    .checkedBy("probe getMessages/include_anchor")
    .reads("getMessages", "include_anchor", (text) => (text === "true" ? text : "false")),
  fault("unlisted-word-accepted", "reads an unknown operation as `stop`")
    .breaks("setEditTypingStatus")
    .checkedBy("probe setEditTypingStatus/op")
    .reads("setEditTypingStatus", "op", (op) => (op === "start" ? op : "stop")),
  fault("unlisted-number-accepted", "reads an unknown type of profile field as short text")
    .breaks("createProfileField")
    .checkedBy("probe createProfileField/field_type")
    .reads("createProfileField", "field_type", (type) => (Number(type) > 8 ? "1" : type)),
  fault("required-parameter-defaulted", "reads a missing `topic` as the empty topic")
    .breaks("updateMutedTopic")
    .checkedBy("probe updateMutedTopic/topic-missing")
    .assumes("updateMutedTopic", "topic", ""),
  fault("delete-body-ignored", "ignores the body of a DELETE")
    .breaks("conventions.form-body", "default-channels.remove.removed")
    .checkedBy("case removeDefaultChannel/by_owner", "workflow conventions-form")
    .changesRequest(["removeDefaultChannel", "unsubscribe", "removeAndroidToken"], (request) => ({
      ...request,
      body: Buffer.alloc(0),
    })),
  fault("charset-refused", "rejects forms that declare a charset")
    .breaks("conventions.form-charset")
    .checkedBy("probe updateMutedTopic/body-charset")
    .refuses(
      "updateMutedTopic",
      (_, request) => /charset/i.test(headerOf(request, "Content-Type") ?? ""),
      failure(415, "UNSUPPORTED"),
    ),
  fault("plus-sign-kept", "keeps a plus sign in a form instead of reading it as a space")
    .breaks("subscriptions.remove.group-member", "conventions.form-body")
    .checkedBy("case unsubscribe/by_group_member")
    .changesParameters(["unsubscribe", "updateMutedTopic", "updateUserByEmail"], (parameters) => {
      for (const [name, value] of [...parameters]) parameters.set(name, value.replaceAll(" ", "+"));
    }),
  fault("query-ignored", "ignores the query string")
    .breaks("conventions.query")
    .changesParameters("getMessages", (parameters) => {
      for (const name of [...parameters.keys()]) parameters.delete(name);
    }),
  fault("path-value-not-decoded", "does not decode percent-encoding in the path")
    .breaks("users.update-by-email.real-email", "users.update-by-email.administrator")
    .checkedBy("case updateUserByEmail/administrator_renames")
    .changesRequest("updateUserByEmail", (request) => ({ ...request, target: request.target.replaceAll("%", "%25") })),
  fault("slash-in-path-refused", "does not find navigation views with slashes")
    .breaks("navigation-views.remove.slashes")
    .checkedBy("case removeNavigationView/fragment_with_slash")
    .refuses("removeNavigationView", (_, { path }) => path.fragment?.includes("/") === true, failure(404, "NOT_FOUND")),
  fault("multipart-fields-ignored", "does not report ignored fields beside a file")
    .breaks("conventions.ignored-parameters")
    .checkedBy("case uploadFile/unknown_parameter")
    .omits("uploadFile", "ignored_parameters_unsupported"),
  fault("fraction-rounded", "rounds timestamps with a fraction")
    .breaks("createReminder")
    .checkedBy("probe createReminder/scheduled_delivery_timestamp")
    .ignores("createReminder", "scheduled_delivery_timestamp", matches("scheduled_delivery_timestamp", /\./)),
  fault("malformed-id-accepted", "returns an empty status for a malformed user id")
    .breaks("getUserStatus")
    .checkedBy("probe getUserStatus/user_id")
    .forgives("getUserStatus", "Argument", { status: {} }),
]);
