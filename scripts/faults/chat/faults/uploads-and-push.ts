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

/** Wrong answers about files. */
export const uploadFaults: readonly Fault[] = ofFamily("uploads", [
  [
    "old-name-of-upload-differs",
    "answers `uri` with the name of the server",
    changesSuccess(["uploadFile"], (body) => {
      body.uri = `http://chat.invalid${body.uri}`;
    }),
    ["uploads.create.uri"],
    ["workflow uploads-link-detach-delete"],
  ],
  [
    "upload-url-missing",
    "answers `uri` alone, as before feature level 272",
    changesSuccess(["uploadFile"], (body) => {
      delete body.url;
    }),
    ["uploads.create.url", "uploadFile"],
    ["case uploadFile/text_file"],
  ],
  [
    "upload-name-missing",
    "does not say under which name a file was stored",
    changesSuccess(["uploadFile"], (body) => {
      delete body.filename;
    }),
    ["uploads.create.filename", "uploadFile"],
    ["case uploadFile/text_file"],
  ],
  [
    "upload-url-leads-nowhere",
    "answers a URL that the upload has not",
    changesSuccess(["uploadFile"], (body) => {
      body.url = String(body.url).replace(/.{3}(?=\/[^/]*$)/, "000");
      body.uri = body.url;
    }),
    ["uploads.create.markdown-link", "uploads.create.url", "uploads.create.one-file"],
    ["workflow uploads-link-detach-delete"],
  ],
  [
    "too-large-file-accepted",
    "takes files of any size",
    forgives("uploadFile", "Uploaded file is larger", () => {
      const url = "/user_uploads/1/aa/file.txt";
      return { url, uri: url, filename: "file.txt" };
    }),
    ["uploads.create.too-large"],
    ["case uploadFile/too_large"],
  ],
  [
    "names-in-ascii-only",
    "refuses names of files that have letters outside ASCII",
    always(["uploadFile"], (request, forward) =>
      [...request.body.subarray(0, 400)].some((byte) => byte > 127)
        ? failure(400, "BAD_REQUEST", "Invalid name")
        : forward(request),
    ),
    ["uploads.create.filename", "uploads.create.one-file"],
    ["case uploadFile/name_with_umlauts"],
  ],
  [
    "tus-answers-200",
    "answers 200 to a new resumable upload",
    changesAnswer(["createResumableUpload"], (answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer)),
    ["uploads.tus.created"],
    ["workflow uploads-tus-create"],
  ],
  [
    "tus-speaks-any-version",
    "takes any version of the tus protocol",
    always(["createResumableUpload"], (request, forward) => forward(withHeader(request, "Tus-Resumable", "1.0.0"))),
    ["uploads.tus.unsupported-version"],
    ["workflow uploads-tus-version"],
  ],
  [
    "tus-too-large-accepted",
    "takes resumable uploads of any length",
    always(["createResumableUpload"], (request, forward) =>
      forward(Number(headerOf(request, "Upload-Length")) > 0 ? withHeader(request, "Upload-Length", "0") : request),
    ),
    ["uploads.tus.too-large"],
    ["workflow uploads-tus-size-limit"],
  ],
  [
    "tus-too-large-with-400",
    "answers 400 to a resumable upload that is too large",
    changesAnswer(["createResumableUpload"], (answer) => (answer.status === 413 ? { ...answer, status: 400 } : answer)),
    ["uploads.tus.too-large"],
    ["workflow uploads-tus-size-limit"],
  ],
  [
    "tus-length-not-needed",
    "takes a resumable upload of unknown length without being told so",
    always(["createResumableUpload"], (request, forward) =>
      forward(headerOf(request, "Upload-Length") ? request : withHeader(request, "Upload-Length", "9")),
    ),
    ["uploads.tus.length"],
    ["case createResumableUpload/no_length"],
  ],
  [
    "tus-open-to-all",
    "does not ask for a login at the tus endpoint",
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
    "forgets what has arrived of a resumable upload when it is asked",
    always("all", async (request, forward) => {
      const answer = await forward(request);
      const isAsked = request.method === "HEAD" && request.target.includes("/tus/");
      return isAsked ? withHeader(answer, "Upload-Offset", "0") : answer;
    }),
    ["uploads.tus.resumable"],
    ["workflow uploads-tus-resume"],
  ],
  [
    "tus-takes-any-offset",
    "takes a part of a resumable upload that does not begin where the others end",
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
    "answers success when there is no such attachment",
    forgives("deleteAttachment", "Invalid attachment"),
    ["attachments.delete.invalid-attachment"],
    ["case deleteAttachment/unknown_attachment"],
  ],
  [
    "linked-attachment-kept",
    "does not delete attachments that messages link",
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
    "answers half a year later that an unused upload was still there",
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

/** Wrong decisions about devices. */
export const pushFaults: readonly Fault[] = ofFamily("push", [
  [
    "empty-token-accepted",
    "takes an empty token",
    forgives("addIosDeviceToken", "Empty or invalid length token"),
    ["push.add-ios-token.empty-token"],
    ["case addIosDeviceToken/empty_token"],
  ],
  [
    "invalid-token-accepted",
    "takes an invalid token",
    forgives("addIosDeviceToken", "Invalid token"),
    ["push.add-ios-token.invalid-token"],
    ["case addIosDeviceToken/invalid_token"],
  ],
  [
    "app-id-not-required",
    "takes a token without the id of the app",
    changesParameters(["addIosDeviceToken"], (parameters) => {
      if (!parameters.has("appid")) parameters.set("appid", "com.example.chat");
    }),
    ["push.add-ios-token.appid-required"],
    ["workflow push-add-ios-token-without-appid"],
  ],
  [
    "unknown-token-removed",
    "answers success when there is no such token",
    forgives("removeAndroidToken", "Token does not exist"),
    ["push.remove-android-token.unknown-token"],
    ["case removeAndroidToken/unknown_token"],
  ],
  [
    "colons-in-tokens-refused",
    "knows no tokens with colons",
    refuses("removeAndroidToken", (parameters) => (parameters.get("token") ?? "").length > 3),
    ["push.remove-android-token.removed"],
    ["case removeAndroidToken/registered_device"],
  ],
  [
    "registered-without-service",
    "registers devices although there is no push service",
    forgives("registerPushDevice", "Server is not configured"),
    ["push.register.no-push-service"],
    ["case registerPushDevice/no_push_service"],
  ],
  [
    "no-service-with-generic-code",
    "has no code of its own for servers without a push service",
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
    "key-that-is-no-base64",
    "takes a key that is no Base64",
    forgives("registerPushDevice", "push_public_key is not"),
    ["push.register.key-base64"],
    ["case registerPushDevice/key_not_base64"],
  ],
  [
    "ios-devices-refused",
    "registers Android devices alone",
    refuses("registerPushDevice", (parameters) => parameters.get("token_kind") === "ios"),
    ["push.register.ios"],
    ["case registerPushDevice/ios_device"],
  ],
]);
