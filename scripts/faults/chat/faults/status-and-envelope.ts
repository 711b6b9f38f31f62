import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { jsonOf, withContentType, withJson } from "../messages.js";

/** Responses with a wrong status. */
export const statusFaults: readonly ChatFault[] = ofFamily("status", [
  fault("errors-with-200", "returns errors with status 200")
    .breaks("users.mute.own-user", "errors.shape")
    .checkedBy("case muteUser/own_user")
    .returnsStatus("muteUser", { 400: 200, 401: 200 }),
  fault("not-found-instead-of-bad-request", "returns 404 for an unknown user")
    .breaks("users.get-status.unknown-user", "errors.status")
    .checkedBy("case getUserStatus/unknown_user")
    .returnsStatus("getUserStatus", { 400: 404 }),
  fault("created-instead-of-ok", "returns 201 for a new reminder")
    .breaks("reminders.create.created")
    .checkedBy("case createReminder/with_note")
    .returnsStatus("createReminder", { 200: 201 }),
  fault("server-error-instead-of-refusal", "returns 500 for invalid values")
    .breaks("errors.status")
    .checkedBy("case editMessage/editing_disallowed")
    .returnsStatus("editMessage", { 400: 500 }),
  fault("no-content", "returns 204 without a body after a deletion")
    .breaks("attachments.delete.deleted")
    .checkedBy("case deleteAttachment/unused_file")
    .changesResponse("deleteAttachment", (response) =>
      response.status === 200 ? { ...withContentType(response), status: 204, body: Buffer.alloc(0) } : undefined,
    ),
  fault("server-error-on-rare-characters", "fails with 500 on characters outside the Basic Multilingual Plane")
    .breaks("createProfileField")
    .checkedBy("probe createProfileField/name")
    .changesResponse("createProfileField", (response, { body }) =>
      /%F0%9/i.test(String(body)) ? { ...response, status: 500 } : undefined,
    ),
]);

/** Responses with a wrong envelope. */
export const envelopeFaults: readonly ChatFault[] = ofFamily("envelope", [
  fault("no-msg", "omits `msg` in successes")
    .breaks("addDefaultChannel", "conventions.envelope")
    .checkedBy("case addDefaultChannel/by_owner")
    .changesSuccess("addDefaultChannel", (body) => {
      delete body.msg;
    }),
  fault("msg-on-success", "returns a text in `msg` of a success")
    .breaks("addDefaultChannel", "conventions.empty-msg")
    .checkedBy("case addDefaultChannel/by_owner")
    .returns("all", "msg", "OK"),
  fault("other-result", "returns `ok` instead of `success`")
    .breaks("deactivateUserGroup")
    .checkedBy("case deactivateUserGroup/unused")
    .returns("deactivateUserGroup", "result", "ok"),
  fault("no-code", "omits `code` in errors")
    .breaks("conventions.error-code", "errors.shape", "attachments.delete.invalid-attachment")
    .checkedBy("case deleteAttachment/unknown_attachment")
    .omits("deleteAttachment", "code"),
  fault("other-code", "returns a code of its own for unknown ids")
    .breaks("errors.invalid-id", "attachments.delete.invalid-attachment")
    .checkedBy("case deleteAttachment/unknown_attachment")
    .changes(["deleteAttachment", "updateLinkifier"], "code", (code) => (code === "BAD_REQUEST" ? "NOT_FOUND" : code)),
  fault("success-envelope-on-errors", "returns `success` in errors")
    .breaks("errors.shape", "updateMutedTopic")
    .checkedBy("case updateMutedTopic/unknown_channel_id")
    .changes("updateMutedTopic", "result", () => "success"),
  fault("error-text-as-object", "returns error messages as an object, keyed by language")
    .breaks("errors.shape", "getUserStatus")
    .checkedBy("case getUserStatus/unknown_user")
    .changesError("getUserStatus", (body) => ({ ...body, msg: { en: body.msg } })),
  fault("list-instead-of-envelope", "returns the messages without an envelope")
    .breaks("getMessages")
    .checkedBy("case getMessages/newest")
    .changesSuccess("getMessages", (body) => body.messages),
  fault("envelope-in-list", "wraps every response in a list")
    .breaks("conventions.envelope", "removeAndroidToken")
    .checkedBy("case removeAndroidToken/registered_device")
    .changesJson("removeAndroidToken", (body) => [body]),
  fault("empty-body", "returns successes without a body")
    .breaks("updateSubgroups")
    .checkedBy("case updateSubgroups/add_one")
    .changesResponse("updateSubgroups", (response) => ({ ...response, body: Buffer.alloc(0) })),
  fault("truncated-json", "ends its responses before the last bracket")
    .breaks("createReminder")
    .checkedBy("case createReminder/note_only")
    .changesResponse("createReminder", (response) => ({ ...response, body: response.body.subarray(0, -1) })),
  fault("error-page", "returns errors as HTML")
    .breaks("users.deactivate-own.only-owner")
    .checkedBy("case deactivateOwnUser/only_owner")
    .changesResponse("deactivateOwnUser", (response) =>
      response.status < 400
        ? undefined
        : { ...withContentType(response, "text/html"), body: Buffer.from("<h1>Bad request</h1>") },
    ),
  fault("problem-details", "returns errors as problem details (RFC 9457)")
    .breaks("user-groups.deactivate.invalid-group")
    .checkedBy("case deactivateUserGroup/invalid_group")
    .changesResponse("deactivateUserGroup", (response) => {
      if (response.status < 400) return undefined;
      const problem = { type: "about:blank", title: String(jsonOf(response)?.msg), status: response.status };
      return withJson(withContentType(response, "application/problem+json"), problem);
    }),
]);

/** Responses with wrong headers. */
export const headerFaults: readonly ChatFault[] = ofFamily("headers", [
  fault("content-type-html", "labels its JSON as HTML")
    .breaks("getServerSettings")
    .checkedBy("probe getServerSettings/unknown-parameters")
    .returnsHeader("getServerSettings", "Content-Type", "text/html"),
  fault("no-content-type", "sends no content type with its JSON")
    .breaks("setEditTypingStatus")
    .checkedBy("messages.typing.start")
    .returnsHeader("setEditTypingStatus", "Content-Type"),
  fault("content-type-text-json", "labels its JSON as `text/json`")
    .breaks("registerPushDevice")
    .checkedBy("push.register.android")
    .returnsHeader("registerPushDevice", "Content-Type", "text/json"),
  fault("tus-no-location", "omits the location of a new resumable upload")
    .breaks("uploads.tus.location")
    .returnsHeader("createResumableUpload", "Location"),
  fault("tus-no-version", "omits the tus version in its responses")
    .breaks("uploads.tus.tus-resumable")
    .checkedBy("workflow uploads-tus-resumable-header")
    .returnsHeader("createResumableUpload", "Tus-Resumable"),
  fault("tus-no-supported-versions", "does not report its supported tus versions")
    .breaks("uploads.tus.supported-versions")
    .checkedBy("workflow uploads-tus-version")
    .returnsHeader("createResumableUpload", "Tus-Version"),
]);
