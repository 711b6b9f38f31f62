import { ofFamily } from "../../fault.js";
import { given, is, knows, matches } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, isError, unauthorized } from "../messages.js";
import { headerOf, withHeader } from "../wire.js";

/** Wrong handling of files. */
export const uploadFaults: readonly ChatFault[] = ofFamily("uploads", [
  fault("deprecated-upload-url-differs", "returns `uri` with the name of the server")
    .breaks("uploads.create.uri")
    .changes("uploadFile", "uri", (uri) => `http://chat.invalid${uri}`),
  fault("upload-url-missing", "returns only `uri`, as before feature level 272")
    .breaks("uploads.create.url", "uploadFile")
    .checkedBy("case uploadFile/text_file")
    .omits("uploadFile", "url"),
  fault("upload-name-missing", "does not return the name under which a file was stored")
    .breaks("uploads.create.filename", "uploadFile")
    .checkedBy("case uploadFile/text_file")
    .omits("uploadFile", "filename"),
  fault("upload-url-wrong", "returns a wrong URL for the upload")
    .breaks("uploads.create.markdown-link", "uploads.create.url", "uploads.create.one-file")
    .checkedBy("workflow uploads-link-detach-delete")
    .changesSuccess("uploadFile", (body) => {
      body.url = String(body.url).replace(/.{3}(?=\/[^/]*$)/, "000");
      body.uri = body.url;
    }),
  fault("too-large-file-accepted", "accepts files of any size")
    .breaks("uploads.create.too-large")
    .checkedBy("case uploadFile/too_large")
    .forgives("uploadFile", "Uploaded file is larger", {
      ...{ url: "/user_uploads/1/aa/file.txt", uri: "/user_uploads/1/aa/file.txt", filename: "file.txt" },
    }),
  fault("names-in-ascii-only", "rejects file names with letters outside ASCII")
    .breaks("uploads.create.filename", "uploads.create.one-file")
    .checkedBy("case uploadFile/name_with_umlauts")
    .refuses("uploadFile", (_, { body }) => body.subarray(0, 400).some((byte) => byte > 127)),
  fault("tus-endpoint-missing", "has no tus endpoint")
    .breaks("uploads.tus.endpoint")
    .refuses("createResumableUpload", () => true, failure(404)),
  fault("tus-keys-not-accepted", "accepts API keys everywhere but at the tus endpoint")
    .breaks("uploads.tus.same-credentials")
    .refuses("createResumableUpload", () => true, unauthorized),
  fault("tus-created-with-200", "returns 200 for a new resumable upload")
    .breaks("uploads.tus.created")
    .returnsStatus("createResumableUpload", { 201: 200 }),
  fault("tus-any-version-accepted", "accepts any version of the tus protocol")
    .breaks("uploads.tus.unsupported-version")
    .changesRequest("createResumableUpload", (request) => withHeader(request, "Tus-Resumable", "1.0.0")),
  fault("tus-too-large-accepted", "accepts resumable uploads of any length")
    .breaks("uploads.tus.too-large")
    .changesRequest("createResumableUpload", (request) =>
      Number(headerOf(request, "Upload-Length")) > 0 ? withHeader(request, "Upload-Length", "0") : request,
    ),
  fault("tus-too-large-with-400", "returns 400 for a resumable upload that is too large")
    .breaks("uploads.tus.too-large")
    .returnsStatus("createResumableUpload", { 413: 400 }),
  fault("tus-length-not-required", "accepts a resumable upload without `Upload-Length` or `Upload-Defer-Length`")
    .breaks("uploads.tus.length")
    .checkedBy("case createResumableUpload/no_length")
    .changesRequest("createResumableUpload", (request) =>
      headerOf(request, "Upload-Length") ? request : withHeader(request, "Upload-Length", "9"),
    ),
  fault("tus-without-authentication", "does not require authentication at the tus endpoint")
    .breaks("authentication.no-credentials", "authentication.wrong-credentials")
    .checkedBy("case createResumableUpload/no_credentials")
    .changesResponse("createResumableUpload", ({ status }) => {
      const headers = [
        ["Location", "/api/v1/tus/1"],
        ["Tus-Resumable", "1.0.0"],
        ["Content-Length", "0"],
      ] as const;
      return status === 401 ? { status: 201, headers, body: Buffer.alloc(0) } : undefined;
    }),
  fault("tus-forgets-parts", "discards the received part of a resumable upload when asked for its offset")
    .breaks("uploads.tus.resumable")
    .changesResponse("all", (response, { method, target }) =>
      method === "HEAD" && target.includes("/tus/") ? withHeader(response, "Upload-Offset", "0") : undefined,
    ),
  fault("tus-any-offset-accepted", "accepts a part of a resumable upload at a wrong offset")
    .breaks("uploads.tus.resumable")
    .changesResponse("all", (response, { method, target }) => {
      const isWrong = method === "PATCH" && target.includes("/tus/") && response.status === 409;
      return isWrong ? { ...response, status: 204, body: Buffer.alloc(0) } : undefined;
    }),
  fault("unknown-attachment-deleted", "returns success for an unknown attachment")
    .breaks("attachments.delete.invalid-attachment")
    .checkedBy("case deleteAttachment/unknown_attachment")
    .forgives("deleteAttachment", "Invalid attachment"),
  fault("linked-attachment-kept", "does not delete attachments to which messages link")
    .breaks("attachments.delete.deleted")
    .checkedBy("case deleteAttachment/linked_file")
    .refuses(
      "deleteAttachment",
      given((params) => params.linked_in_message === true),
    ),
  fault("unused-uploads-kept", "keeps unused uploads for more than half a year")
    .breaks("attachments.delete.unused-deleted")
    .forgives("deleteAttachment", "", {}, knows("attachment_id")),
]);

/** Wrong handling of devices. */
export const pushFaults: readonly ChatFault[] = ofFamily("push", [
  fault("empty-token-accepted", "accepts an empty token")
    .breaks("push.add-ios-token.empty-token")
    .forgives("addIosDeviceToken", "Empty or invalid length token"),
  fault("invalid-token-accepted", "accepts an invalid token")
    .breaks("push.add-ios-token.invalid-token")
    .forgives("addIosDeviceToken", "Invalid token"),
  fault("app-id-not-required", "accepts a token without the id of the app")
    .breaks("push.add-ios-token.appid-required")
    .checkedBy("workflow push-add-ios-token-without-appid")
    .assumes("addIosDeviceToken", "appid", "com.example.chat"),
  fault("unknown-token-removed", "returns success for an unknown token")
    .breaks("push.remove-android-token.unknown-token")
    .checkedBy("case removeAndroidToken/unknown_token")
    .forgives("removeAndroidToken", "Token does not exist"),
  fault("long-tokens-refused", "rejects tokens of more than three characters")
    .breaks("push.remove-android-token.removed")
    .checkedBy("case removeAndroidToken/registered_device")
    .refuses("removeAndroidToken", matches("token", /.{4}/)),
  fault("registered-without-service", "registers devices without a push service")
    .breaks("push.register.no-push-service")
    .forgives("registerPushDevice", "Server is not configured"),
  fault("missing-service-with-generic-code", "returns no specific code if it has no push service")
    .breaks("push.register.no-push-service")
    .changesResponse("registerPushDevice", (response) =>
      isError(response, "PUSH_SERVICE_NOT_CONFIGURED") ? failure() : undefined,
    ),
  fault("non-base64-key-accepted", "accepts a key that is not base64")
    .breaks("push.register.not-base64")
    .checkedBy("case registerPushDevice/key_not_base64")
    .forgives("registerPushDevice", "push_public_key is not"),
  fault("url-safe-base64-accepted", "accepts keys in the URL-safe alphabet of base64")
    .breaks("push.register.not-base64")
    .checkedBy("case registerPushDevice/url_safe_key")
    .reads("registerPushDevice", "push_public_key", (key) => key.replaceAll("-", "+").replaceAll("_", "/")),
  fault("ios-devices-refused", "registers only Android devices")
    .breaks("push.register.ios")
    .refuses("registerPushDevice", is("token_kind", "ios")),
]);
