import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  ignores,
  refuses,
  withParameters,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { headerOf } from "../wire.js";

/** Wrong parsing of requests. */
export const parameterFaults: readonly Fault[] = ofFamily("parameters", [
  [
    "unknown-parameters-not-reported",
    "does not report ignored parameters",
    changesSuccess(["deactivateUserGroup"], (body) => {
      delete body.ignored_parameters_unsupported;
    }),
    ["conventions.ignored-parameters"],
    ["probe deactivateUserGroup/unknown-parameters"],
  ],
  [
    "one-unknown-parameter-reported",
    "reports only one of several ignored parameters",
    changesSuccess(["createProfileField"], (body) => {
      const { ignored_parameters_unsupported: ignored } = body;
      if (Array.isArray(ignored)) body.ignored_parameters_unsupported = ignored.slice(0, 1);
    }),
    ["conventions.ignored-parameters"],
    ["probe createProfileField/unknown-parameters"],
  ],
  [
    "supported-parameters-reported",
    "reports supported parameters as ignored",
    changesSuccess(["updateMutedTopic"], (body) => {
      const { ignored_parameters_unsupported: ignored } = body;
      if (Array.isArray(ignored)) body.ignored_parameters_unsupported = [...ignored, "topic"];
    }),
    ["conventions.ignored-parameters"],
    ["probe updateMutedTopic/unknown-parameters"],
  ],
  [
    "phantom-parameter-reported",
    "reports a parameter as ignored that the request lacks",
    changesSuccess(["getUserStatus"], (body) => {
      body.ignored_parameters_unsupported ??= ["phantom"];
    }),
    ["conventions.ignored-parameters-only"],
    ["workflow conventions-ignored-parameters"],
  ],
  [
    "unknown-parameters-refused",
    "rejects unknown parameters",
    always(["muteUser"], async (request, forward) => {
      const answer = await forward(request);
      return String(answer.body).includes("ignored_parameters") ? failure(400, "BAD_REQUEST", "Unknown") : answer;
    }),
    ["conventions.unsupported-parameters"],
    ["probe muteUser/unknown-parameters"],
  ],
  [
    "json-read-as-text",
    "treats the JSON text of a list as one name",
    changesParameters(["unsubscribe"], (parameters) => {
      const text = parameters.get("subscriptions");
      if (text !== null) parameters.set("subscriptions", JSON.stringify([text]));
    }),
    ["conventions.json-in-form"],
    ["case unsubscribe/other_user_by_id", "workflow conventions-form"],
  ],
  [
    "text-accepted-for-json",
    "ignores a list that is not valid JSON",
    changesParameters(["getMessages"], (parameters) => {
      if (parseJson(parameters.get("narrow") ?? "") === undefined) parameters.delete("narrow");
    }),
    ["getMessages"],
    ["probe getMessages/narrow-wrong-no-json"],
  ],
  [
    "items-of-wrong-type-accepted",
    "skips list items of the wrong type",
    changesParameters(["getMessages"], (parameters) => {
      const list = parseJson(parameters.get("message_ids") ?? "");
      if (Array.isArray(list)) parameters.set("message_ids", JSON.stringify(list.filter(Number.isInteger)));
    }),
    ["getMessages"],
    ["probe getMessages/message_ids-wrong-item"],
  ],
  [
    "word-read-as-zero",
    "reads a word as the number 0",
    changesParameters(["getMessages"], (parameters) => {
      for (const name of ["num_before", "num_after"]) {
        const text = parameters.get(name);
        if (text !== null) parameters.set(name, String(Number.parseInt(text, 10) || 0));
      }
    }),
    ["getMessages"],
    ["probe getMessages/num_before"],
  ],
  [
    "word-read-as-false",
    "reads every word except `true` as false",
    changesParameters(["getMessages"], (parameters) => {
      const text = parameters.get("include_anchor");
      if (text !== null && text !== "true") parameters.set("include_anchor", "false");
    }),
    ["getMessages"],
    ["probe getMessages/include_anchor"],
  ],
  [
    "unlisted-word-accepted",
    "reads an unknown operation as `stop`",
    changesParameters(["setEditTypingStatus"], (parameters) => {
      const op = parameters.get("op");
      if (op !== null && op !== "start") parameters.set("op", "stop");
    }),
    ["setEditTypingStatus"],
    ["probe setEditTypingStatus/op"],
  ],
  [
    "unlisted-number-accepted",
    "reads an unknown type of profile field as short text",
    changesParameters(["createProfileField"], (parameters) => {
      if (Number(parameters.get("field_type")) > 8) parameters.set("field_type", "1");
    }),
    ["createProfileField"],
    ["probe createProfileField/field_type"],
  ],
  [
    "required-parameter-defaulted",
    "reads a missing `topic` as the empty topic",
    changesParameters(["updateMutedTopic"], (parameters) => {
      if (!parameters.has("topic")) parameters.set("topic", "");
    }),
    ["updateMutedTopic"],
    ["probe updateMutedTopic/topic-missing"],
  ],
  [
    "optional-parameter-required",
    "requires a name for every profile field",
    refuses("createProfileField", (parameters) => !parameters.has("name")),
    ["profile-fields.create.only-field-type"],
    ["case createProfileField/only_field_type"],
  ],
  [
    "delete-body-ignored",
    "ignores the body of a DELETE",
    always(["removeDefaultChannel", "unsubscribe", "removeAndroidToken"], (request, forward) =>
      forward({ ...request, body: Buffer.alloc(0) }),
    ),
    ["conventions.form-body", "default-channels.remove.removed"],
    ["case removeDefaultChannel/by_owner", "workflow conventions-form"],
  ],
  [
    "charset-refused",
    "rejects forms that declare a charset",
    always(["updateMutedTopic"], (request, forward) =>
      /charset/i.test(headerOf(request, "Content-Type") ?? "")
        ? failure(415, "UNSUPPORTED", "Not a form")
        : forward(request),
    ),
    ["conventions.form-charset"],
    ["probe updateMutedTopic/body-charset"],
  ],
  [
    "plus-sign-kept",
    "keeps a plus sign in a form instead of reading it as a space",
    changesParameters(["unsubscribe", "updateMutedTopic", "updateUserByEmail"], (parameters) => {
      for (const [name, value] of [...parameters]) parameters.set(name, value.replaceAll(" ", "+"));
    }),
    ["subscriptions.remove.group-member", "conventions.form-body"],
    ["case unsubscribe/by_group_member"],
  ],
  [
    "query-ignored",
    "ignores the query string",
    always(["getMessages"], (request, forward) => forward(withParameters(request, clear))),
    ["conventions.query"],
    ["workflow conventions-query"],
  ],
  [
    "path-value-not-decoded",
    "does not decode percent-encoding in the path",
    always(["updateUserByEmail"], (request, forward) =>
      forward({ ...request, target: request.target.replace(/%/g, "%25") }),
    ),
    ["users.update-by-email.real-email", "users.update-by-email.administrator"],
    ["case updateUserByEmail/administrator_renames"],
  ],
  [
    "slash-in-path-refused",
    "does not find navigation views with slashes",
    always(["removeNavigationView"], (request, forward) =>
      request.path.fragment?.includes("/") ? failure(404, "NOT_FOUND", "No such path") : forward(request),
    ),
    ["navigation-views.remove.slashes"],
    ["case removeNavigationView/fragment_with_slash"],
  ],
  [
    "multipart-fields-ignored",
    "does not report ignored fields beside a file",
    changesSuccess(["uploadFile"], (body) => {
      delete body.ignored_parameters_unsupported;
    }),
    ["conventions.ignored-parameters"],
    ["case uploadFile/unknown_parameter"],
  ],
  [
    "fraction-rounded",
    "rounds timestamps with a fraction",
    changesParameters(["createReminder"], (parameters) => {
      const text = parameters.get("scheduled_delivery_timestamp");
      if (text?.includes(".")) parameters.delete("scheduled_delivery_timestamp");
    }),
    ["createReminder"],
    ["probe createReminder/scheduled_delivery_timestamp"],
  ],
  [
    "field-ignored",
    "ignores `principals`",
    ignores("unsubscribe", "principals"),
    ["subscriptions.remove.principals-instead-of-caller"],
    ["workflow subscriptions-remove-by-id"],
  ],
  [
    "malformed-id-accepted",
    "returns an empty status for a malformed user id",
    forgives("getUserStatus", "Argument", () => ({ status: {} })),
    ["getUserStatus"],
    ["probe getUserStatus/user_id"],
  ],
]);

function clear(parameters: URLSearchParams): void {
  for (const name of [...parameters.keys()]) parameters.delete(name);
}
