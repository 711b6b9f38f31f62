import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, isError, unauthorized } from "../messages.js";
import { headerOf, withHeader } from "../wire.js";

/** Wrong handling of files. */
export const uploadFaults: readonly ChatFault[] = ofFamily("uploads", [
  fault("deprecated-upload-url-differs", "returns `uri` with the name of the server")
    .breaks("uploads.create.uri")
    .changes("uploadFile", "uri", (uri) => `http://chat.invalid${uri}`),
  fault("upload-url-wrong", "returns a wrong URL for the upload")
    .breaks("uploads.create.markdown-link", "uploads.create.url", "uploads.create.one-file")
    .checkedBy("workflow uploads-link-detach-delete")
    .changesSuccess("uploadFile", (body) => {
      body.url = String(body.url).replace(/.{3}(?=\/[^/]*$)/, "000");
      body.uri = body.url;
    }),
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
]);

/** Wrong handling of devices. */
export const pushFaults: readonly ChatFault[] = ofFamily("push", [
  fault("app-id-not-required", "accepts a token without the id of the app")
    .breaks("push.add-ios-token.appid-required")
    .checkedBy("workflow push-add-ios-token-without-appid")
    .assumes("addIosDeviceToken", "appid", "com.example.chat"),
  fault("missing-service-with-generic-code", "returns no specific code if it has no push service")
    .breaks("push.register.no-push-service")
    .changesResponse("registerPushDevice", (response) =>
      isError(response, "PUSH_SERVICE_NOT_CONFIGURED") ? failure() : undefined,
    ),
  fault("url-safe-base64-accepted", "accepts keys in the URL-safe alphabet of base64")
    .breaks("push.register.not-base64")
    .checkedBy("case registerPushDevice/url_safe_key")
    .reads("registerPushDevice", "push_public_key", (key) => key.replaceAll("-", "+").replaceAll("_", "/")),
]);
