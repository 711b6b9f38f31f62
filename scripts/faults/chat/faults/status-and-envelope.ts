import {
  changesAnswer,
  changesError,
  changesJson,
  changesSuccess,
  jsonOf,
  withContentType,
  withJson,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { withHeader } from "../wire.js";

/** Responses with a wrong status. */
export const statusFaults: readonly Fault[] = ofFamily("status", [
  [
    "errors-with-200",
    "returns errors with status 200",
    changesAnswer(["muteUser"], (answer) => (answer.status >= 400 ? { ...answer, status: 200 } : answer)),
    ["users.mute.own-user", "errors.shape"],
    ["case muteUser/own_user"],
  ],
  [
    "not-found-instead-of-bad-request",
    "returns 404 for an unknown user",
    changesAnswer(["getUserStatus"], (answer) => (answer.status === 400 ? { ...answer, status: 404 } : answer)),
    ["users.get-status.unknown-user", "errors.status"],
    ["case getUserStatus/unknown_user"],
  ],
  [
    "created-instead-of-ok",
    "returns 201 for a new reminder",
    changesAnswer(["createReminder"], (answer) => (answer.status === 200 ? { ...answer, status: 201 } : answer)),
    ["reminders.create.created"],
    ["case createReminder/with_note"],
  ],
  [
    "server-error-instead-of-refusal",
    "returns 500 for invalid values",
    changesAnswer(["editMessage"], (answer) => (answer.status === 400 ? { ...answer, status: 500 } : answer)),
    ["errors.status"],
    ["case editMessage/editing_disallowed"],
  ],
  [
    "no-content",
    "returns 204 without a body after a deletion",
    changesAnswer(["deleteAttachment"], (answer) =>
      answer.status === 200 ? { ...withContentType(answer), status: 204, body: Buffer.alloc(0) } : answer,
    ),
    ["attachments.delete.deleted"],
    ["case deleteAttachment/unused_file"],
  ],
  [
    "server-error-on-rare-characters",
    "fails with 500 on characters outside the Basic Multilingual Plane",
    changesAnswer(["createProfileField"], (answer, request) =>
      /%F0%9/i.test(String(request.body)) ? { ...answer, status: 500 } : answer,
    ),
    ["createProfileField"],
    ["probe createProfileField/name"],
  ],
]);

/** Responses with a wrong envelope. */
export const envelopeFaults: readonly Fault[] = ofFamily("envelope", [
  [
    "no-result",
    "omits `result`",
    changesJson(["muteUser"], (body) => {
      delete body.result;
    }),
    ["conventions.envelope", "users.mute.muted", "muteUser"],
    ["case muteUser"],
  ],
  [
    "no-msg",
    "omits `msg` in successes",
    changesSuccess(["addDefaultChannel"], (body) => {
      delete body.msg;
    }),
    ["addDefaultChannel", "conventions.envelope"],
    ["case addDefaultChannel/by_owner"],
  ],
  [
    "msg-on-success",
    "returns a text in `msg` of a success",
    changesSuccess("all", (body) => {
      body.msg = "OK";
    }),
    ["addDefaultChannel", "conventions.empty-msg"],
    ["case addDefaultChannel/by_owner"],
  ],
  [
    "other-result",
    "returns `ok` instead of `success`",
    changesSuccess(["deactivateUserGroup"], (body) => {
      body.result = "ok";
    }),
    ["user-groups.deactivate.deactivated"],
    ["case deactivateUserGroup/unused"],
  ],
  [
    "no-code",
    "omits `code` in errors",
    changesError(["deleteAttachment"], (body) => {
      delete body.code;
    }),
    ["conventions.error-code", "errors.shape", "attachments.delete.invalid-attachment"],
    ["case deleteAttachment/unknown_attachment"],
  ],
  [
    "other-code",
    "returns a code of its own for unknown ids",
    changesError(["deleteAttachment", "updateLinkifier"], (body) => {
      if (body.code === "BAD_REQUEST") body.code = "NOT_FOUND";
    }),
    ["errors.invalid-id", "attachments.delete.invalid-attachment"],
    ["case deleteAttachment/unknown_attachment"],
  ],
  [
    "success-envelope-on-errors",
    "returns `success` in errors",
    changesError(["updateMutedTopic"], (body) => {
      body.result = "success";
    }),
    ["topics.mute.unknown-channel-id", "errors.shape"],
    ["case updateMutedTopic/unknown_channel_id"],
  ],
  [
    "error-text-as-object",
    "returns error messages as an object, keyed by language",
    changesError(["getUserStatus"], (body) => {
      body.msg = { en: body.msg };
    }),
    ["errors.shape", "users.get-status.unknown-user"],
    ["case getUserStatus/unknown_user"],
  ],
  [
    "list-instead-of-envelope",
    "returns the messages without an envelope",
    changesSuccess(["getMessages"], (body) => body.messages),
    ["getMessages"],
    ["case getMessages/newest"],
  ],
  [
    "envelope-in-list",
    "wraps every response in a list",
    changesJson(["removeAndroidToken"], (body) => [body]),
    ["conventions.envelope", "push.remove-android-token.removed"],
    ["case removeAndroidToken/registered_device"],
  ],
  [
    "empty-body",
    "returns successes without a body",
    changesAnswer(["updateSubgroups"], (answer) => ({ ...answer, body: Buffer.alloc(0) })),
    ["updateSubgroups"],
    ["case updateSubgroups/add_one"],
  ],
  [
    "truncated-json",
    "ends its responses before the last bracket",
    changesAnswer(["createReminder"], (answer) => ({ ...answer, body: answer.body.subarray(0, -1) })),
    ["createReminder"],
    ["case createReminder/note_only"],
  ],
  [
    "error-page",
    "returns errors as HTML",
    changesAnswer(["deactivateOwnUser"], (answer) =>
      answer.status < 400
        ? answer
        : { ...withContentType(answer, "text/html"), body: Buffer.from("<h1>Bad request</h1>") },
    ),
    ["users.deactivate-own.only-owner"],
    ["case deactivateOwnUser/only_owner"],
  ],
  [
    "problem-details",
    "returns errors as problem details (RFC 9457)",
    changesAnswer(["deactivateUserGroup"], (answer) =>
      answer.status < 400
        ? answer
        : withJson(withContentType(answer, "application/problem+json"), {
            type: "about:blank",
            title: String(jsonOf(answer)?.msg),
            status: answer.status,
          }),
    ),
    ["user-groups.deactivate.invalid-group"],
    ["case deactivateUserGroup/invalid_group"],
  ],
]);

/** Responses with wrong headers. */
export const headerFaults: readonly Fault[] = ofFamily("headers", [
  [
    "content-type-html",
    "labels its JSON as HTML",
    changesAnswer(["getServerSettings"], (answer) => withContentType(answer, "text/html")),
    ["getServerSettings"],
    ["probe getServerSettings/unknown-parameters"],
  ],
  [
    "no-content-type",
    "sends no content type with its JSON",
    changesAnswer(["setEditTypingStatus"], (answer) => withContentType(answer)),
    ["messages.typing.start"],
    ["case setEditTypingStatus/start"],
  ],
  [
    "content-type-text-json",
    "labels its JSON as `text/json`",
    changesAnswer(["registerPushDevice"], (answer) => withContentType(answer, "text/json")),
    ["push.register.android"],
    ["case registerPushDevice/android_device"],
  ],
  [
    "tus-no-location",
    "omits the location of a new resumable upload",
    changesAnswer(["createResumableUpload"], (answer) => withHeader(answer, "Location")),
    ["uploads.tus.location"],
    ["workflow uploads-tus-create"],
  ],
  [
    "tus-no-version",
    "omits the tus version in its responses",
    changesAnswer(["createResumableUpload"], (answer) => withHeader(answer, "Tus-Resumable")),
    ["uploads.tus.tus-resumable"],
    ["workflow uploads-tus-resumable-header"],
  ],
  [
    "tus-no-supported-versions",
    "does not report its supported tus versions",
    changesAnswer(["createResumableUpload"], (answer) => withHeader(answer, "Tus-Version")),
    ["uploads.tus.supported-versions"],
    ["workflow uploads-tus-version"],
  ],
]);
