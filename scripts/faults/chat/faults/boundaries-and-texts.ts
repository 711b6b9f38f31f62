import { always, changesParameters, failure, parametersOf, refuses, withParameters } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { credentialsOf } from "../known-organizations.js";
import { asUser } from "../requests.js";
import { headerOf } from "../wire.js";

/** Texts, units and limits that are right for plain ASCII text far from the limit. */
export const boundaryFaults: readonly Fault[] = ofFamily("boundaries and texts", [
  [
    "topic-length-in-bytes",
    "counts the bytes of a topic instead of its characters",
    always(["editMessage", "updateMutedTopic"], (request, forward) =>
      Buffer.byteLength(parametersOf(request).get("topic") ?? "") > 60
        ? failure(400, "BAD_REQUEST", "Topic is too long")
        : forward(request),
    ),
    ["messages.edit.lengths-in-code-points"],
    ["case editMessage/longest_wide_topic"],
  ],
  [
    "content-length-in-utf16",
    "counts characters outside the Basic Multilingual Plane twice in the length of content",
    refuses("editMessage", (parameters) => {
      const content = parameters.get("content") ?? "";
      return content.length > 10_000 && [...content].length <= 10_000;
    }),
    ["messages.edit.lengths-in-code-points"],
    ["case editMessage/longest_wide_content"],
  ],
  [
    "content-cut-at-emoji",
    "cuts content off before the first character outside the Basic Multilingual Plane",
    changesParameters(["editMessage"], (parameters) => {
      const content = parameters.get("content");
      if (content !== null) parameters.set("content", content.replace(/[\u{10000}-\u{10ffff}].*$/su, ""));
    }),
    ["messages.edit.content"],
    ["workflow editing-content"],
  ],
  [
    "upload-limit-in-megabytes",
    "counts a mebibyte as 1,000,000 bytes in max_file_upload_size_mib",
    always(["uploadFile"], (request, forward, known) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const sizes = known.valuesOf(organization).map(({ values }) => values.max_file_upload_size_mib);
      const mib = Number(sizes.find((size) => size !== undefined) ?? 25);
      return mib > 0 && request.body.length > mib * 1_000_000 + 1000
        ? failure(400, "BAD_REQUEST", "Uploaded file is too large")
        : forward(request);
    }),
    ["uploads.create.max-file-upload-size"],
    ["workflow uploads-limit"],
  ],
  [
    "binary-uploads-as-text",
    "reads uploaded files as UTF-8 text",
    always(["uploadFile"], (request, forward) => forward({ ...request, body: Buffer.from(String(request.body)) })),
    ["uploads.create.read-back"],
    ["workflow uploads-read"],
  ],
  [
    "key-case-insensitive",
    "ignores letter case when it compares API keys",
    always("all", (request, forward, known) => {
      const user = known.callerOf(request);
      const key = credentialsOf(request)?.key;
      const isAlike = user !== undefined && key?.toLowerCase() === user.apiKey.toLowerCase();
      return isAlike ? forward(asUser(request, user)) : forward(request);
    }),
    ["authentication.wrong-credentials"],
    ["workflow authentication-letter-case"],
  ],
  [
    "scheme-case-sensitive",
    "accepts the authentication scheme only when it is spelled `Basic`",
    always("all", (request, forward) => {
      const credentials = headerOf(request, "Authorization") ?? "";
      return /^basic /i.test(credentials) && !credentials.startsWith("Basic ")
        ? failure(401, "UNAUTHORIZED", "Not logged in")
        : forward(request);
    }),
    ["authentication.basic-user"],
    ["workflow authentication-letter-case"],
  ],
  [
    "fragment-decoded-twice",
    "decodes the fragment of a navigation view twice",
    always(["removeNavigationView"], (request, forward) => {
      const { fragment = "" } = request.path;
      if (!/%[0-9a-f]{2}/i.test(fragment)) return forward(request);
      const decoded = fragment.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return forward({ ...request, target: `/api/v1/navigation_views/${encodeURIComponent(decoded)}` });
    }),
    ["navigation-views.remove.verbatim"],
    ["workflow navigation-views-verbatim"],
  ],
  [
    "no-principals-means-caller",
    "unsubscribes the caller when `principals` is an empty list",
    always(["unsubscribe"], (request, forward) =>
      forward(
        withParameters(request, (parameters) => {
          if (parameters.get("principals") === "[]") parameters.delete("principals");
        }),
      ),
    ),
    ["subscriptions.remove.empty-lists"],
    ["workflow subscriptions-remove-lists"],
  ],
]);
