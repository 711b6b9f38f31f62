import {
  always,
  changesAnswer,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  jsonOf,
  refuses,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { headerOf, withHeader } from "../wire.js";

/** Wrong handling of files. */
export const uploadFaults: readonly Fault[] = ofFamily("uploads", [
  [
    "deprecated-upload-url-differs",
    "returns `uri` with the name of the server",
    changesSuccess(["uploadFile"], (body) => {
      body.uri = `http://chat.invalid${body.uri}`;
    }),
    ["uploads.create.uri"],
    ["workflow uploads-link-detach-delete"],
  ],
  [
    "upload-url-missing",
    "returns only `uri`, as before feature level 272",
    changesSuccess(["uploadFile"], (body) => {
      delete body.url;
    }),
    ["uploads.create.url", "uploadFile"],
    ["case uploadFile/text_file"],
  ],
  [
    "upload-name-missing",
    "does not return the name under which a file was stored",
    changesSuccess(["uploadFile"], (body) => {
      delete body.filename;
    }),
    ["uploads.create.filename", "uploadFile"],
    ["case uploadFile/text_file"],
  ],
  [
    "upload-url-wrong",
    "returns a wrong URL for the upload",
    changesSuccess(["uploadFile"], (body) => {
      body.url = String(body.url).replace(/.{3}(?=\/[^/]*$)/, "000");
      body.uri = body.url;
    }),
    ["uploads.create.markdown-link", "uploads.create.url", "uploads.create.one-file"],
    ["workflow uploads-link-detach-delete"],
  ],
  [
    "too-large-file-accepted",
    "accepts files of any size",
    forgives("uploadFile", "Uploaded file is larger", () => {
      const url = "/user_uploads/1/aa/file.txt";
      return { url, uri: url, filename: "file.txt" };
    }),
    ["uploads.create.too-large"],
    ["case uploadFile/too_large"],
  ],
  [
    "names-in-ascii-only",
    "rejects file names with letters outside ASCII",
    always(["uploadFile"], (request, forward) =>
      [...request.body.subarray(0, 400)].some((byte) => byte > 127)
        ? failure(400, "BAD_REQUEST", "Invalid name")
        : forward(request),
    ),
    ["uploads.create.filename", "uploads.create.one-file"],
    ["case uploadFile/name_with_umlauts"],
  ],
  [
    "tus-endpoint-missing",
    "has no tus endpoint",
    always(["createResumableUpload"], () => Promise.resolve(failure(404, "BAD_REQUEST", "No such path"))),
    ["uploads.tus.endpoint"],
    ["workflow uploads-tus-login"],
  ],
  [
    "tus-keys-not-accepted",
    "accepts API keys everywhere but at the tus endpoint",
    always(["createResumableUpload"], () => Promise.resolve(failure(401, "UNAUTHORIZED", "Session required"))),
    ["uploads.tus.same-credentials"],
    ["workflow uploads-tus-login"],
  ],
  [
    "tus-created-with-200",
    "returns 200 for a new resumable upload",
    changesAnswer(["createResumableUpload"], (answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer)),
    ["uploads.tus.created"],
    ["workflow uploads-tus-create"],
  ],
  [
    "tus-any-version-accepted",
    "accepts any version of the tus protocol",
    always(["createResumableUpload"], (request, forward) => forward(withHeader(request, "Tus-Resumable", "1.0.0"))),
    ["uploads.tus.unsupported-version"],
    ["workflow uploads-tus-version"],
  ],
  [
    "tus-too-large-accepted",
    "accepts resumable uploads of any length",
    always(["createResumableUpload"], (request, forward) =>
      forward(Number(headerOf(request, "Upload-Length")) > 0 ? withHeader(request, "Upload-Length", "0") : request),
    ),
    ["uploads.tus.too-large"],
    ["workflow uploads-tus-size-limit"],
  ],
  [
    "tus-too-large-with-400",
    "returns 400 for a resumable upload that is too large",
    changesAnswer(["createResumableUpload"], (answer) => (answer.status === 413 ? { ...answer, status: 400 } : answer)),
    ["uploads.tus.too-large"],
    ["workflow uploads-tus-size-limit"],
  ],
  [
    "tus-length-not-required",
    "accepts a resumable upload without `Upload-Length` or `Upload-Defer-Length`",
    always(["createResumableUpload"], (request, forward) =>
      forward(headerOf(request, "Upload-Length") ? request : withHeader(request, "Upload-Length", "9")),
    ),
    ["uploads.tus.length"],
    ["case createResumableUpload/no_length"],
  ],
  [
    "tus-without-authentication",
    "does not require authentication at the tus endpoint",
    always(["createResumableUpload"], async (request, forward) => {
      const answer = await forward(request);
      const headers = [
        ["Location", "/api/v1/tus/1"],
        ["Tus-Resumable", "1.0.0"],
        ["Content-Length", "0"],
      ] as const;
      return answer.status === 401 ? { status: 201, headers, body: Buffer.alloc(0) } : answer;
    }),
    ["authentication.no-credentials", "authentication.wrong-credentials"],
    ["case createResumableUpload/no_credentials"],
  ],
  [
    "tus-forgets-parts",
    "discards the received part of a resumable upload when asked for its offset",
    always("all", async (request, forward) => {
      const answer = await forward(request);
      const isAsked = request.method === "HEAD" && request.target.includes("/tus/");
      return isAsked ? withHeader(answer, "Upload-Offset", "0") : answer;
    }),
    ["uploads.tus.resumable"],
    ["workflow uploads-tus-resume"],
  ],
  [
    "tus-any-offset-accepted",
    "accepts a part of a resumable upload at a wrong offset",
    always("all", async (request, forward) => {
      const answer = await forward(request);
      const isPart = request.method === "PATCH" && request.target.includes("/tus/");
      return isPart && answer.status === 409 ? { ...answer, status: 204, body: Buffer.alloc(0) } : answer;
    }),
    ["uploads.tus.resumable"],
    ["workflow uploads-tus-resume"],
  ],
  [
    "unknown-attachment-deleted",
    "returns success for an unknown attachment",
    forgives("deleteAttachment", "Invalid attachment"),
    ["attachments.delete.invalid-attachment"],
    ["case deleteAttachment/unknown_attachment"],
  ],
  [
    "linked-attachment-kept",
    "does not delete attachments to which messages link",
    always(["deleteAttachment"], (request, forward, known) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const isLinked = known.valuesOf(organization).some(({ params }) => params.linked_in_message === true);
      return isLinked ? failure(400, "BAD_REQUEST", "In use") : forward(request);
    }),
    ["attachments.delete.deleted"],
    ["case deleteAttachment/linked_file"],
  ],
  [
    "unused-uploads-kept",
    "keeps unused uploads for more than half a year",
    {
      on: ["deleteAttachment"],
      start: (known) => async (request, forward) => {
        const answer = await forward(request);
        const { organization = "" } = known.callerOf(request) ?? {};
        const exists = known
          .valuesOf(organization)
          .some(({ values }) => String(values.attachment_id) === request.path.attachment_id);
        return exists && answer.status === 400
          ? { ...answer, status: 200, body: Buffer.from('{"result":"success","msg":""}') }
          : answer;
      },
    },
    ["attachments.delete.unused-deleted"],
    ["workflow attachments-unused-deleted"],
  ],
]);

/** Wrong handling of devices. */
export const pushFaults: readonly Fault[] = ofFamily("push", [
  [
    "empty-token-accepted",
    "accepts an empty token",
    forgives("addIosDeviceToken", "Empty or invalid length token"),
    ["push.add-ios-token.empty-token"],
    ["case addIosDeviceToken/empty_token"],
  ],
  [
    "invalid-token-accepted",
    "accepts an invalid token",
    forgives("addIosDeviceToken", "Invalid token"),
    ["push.add-ios-token.invalid-token"],
    ["case addIosDeviceToken/invalid_token"],
  ],
  [
    "app-id-not-required",
    "accepts a token without the id of the app",
    changesParameters(["addIosDeviceToken"], (parameters) => {
      if (!parameters.has("appid")) parameters.set("appid", "com.example.chat");
    }),
    ["push.add-ios-token.appid-required"],
    ["workflow push-add-ios-token-without-appid"],
  ],
  [
    "unknown-token-removed",
    "returns success for an unknown token",
    forgives("removeAndroidToken", "Token does not exist"),
    ["push.remove-android-token.unknown-token"],
    ["case removeAndroidToken/unknown_token"],
  ],
  [
    "long-tokens-refused",
    "rejects tokens of more than three characters",
    refuses("removeAndroidToken", (parameters) => (parameters.get("token") ?? "").length > 3),
    ["push.remove-android-token.removed"],
    ["case removeAndroidToken/registered_device"],
  ],
  [
    "registered-without-service",
    "registers devices without a push service",
    forgives("registerPushDevice", "Server is not configured"),
    ["push.register.no-push-service"],
    ["case registerPushDevice/no_push_service"],
  ],
  [
    "missing-service-with-generic-code",
    "returns no specific code if it has no push service",
    always(["registerPushDevice"], async (request, forward) => {
      const answer = await forward(request);
      return jsonOf(answer)?.code === "PUSH_SERVICE_NOT_CONFIGURED"
        ? failure(400, "BAD_REQUEST", "No push service")
        : answer;
    }),
    ["push.register.no-push-service"],
    ["case registerPushDevice/no_push_service"],
  ],
  [
    "non-base64-key-accepted",
    "accepts a key that is not base64",
    forgives("registerPushDevice", "push_public_key is not"),
    ["push.register.not-base64"],
    ["case registerPushDevice/key_not_base64"],
  ],
  [
    "url-safe-base64-accepted",
    "accepts keys in the URL-safe alphabet of base64",
    changesParameters(["registerPushDevice"], (parameters) => {
      const key = parameters.get("push_public_key") ?? "";
      parameters.set("push_public_key", key.replaceAll("-", "+").replaceAll("_", "/"));
    }),
    ["push.register.not-base64"],
    ["case registerPushDevice/url_safe_key"],
  ],
  [
    "ios-devices-refused",
    "registers only Android devices",
    refuses("registerPushDevice", (parameters) => parameters.get("token_kind") === "ios"),
    ["push.register.ios"],
    ["case registerPushDevice/ios_device"],
  ],
]);
