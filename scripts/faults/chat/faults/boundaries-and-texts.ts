import { ofFamily } from "../../fault.js";
import { is } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { credentialsOf } from "../known-organizations.js";
import { unauthorized } from "../messages.js";
import { asUser } from "../requests.js";
import { headerOf } from "../wire.js";

/** Texts, units and limits that are right for plain ASCII text far from the limit. */
export const boundaryFaults: readonly ChatFault[] = ofFamily("boundaries and texts", [
  fault("topic-length-in-bytes", "counts the bytes of a topic instead of its characters")
    .breaks("messages.edit.lengths-in-code-points")
    .checkedBy("case editMessage/longest_wide_topic")
    .refuses(
      ["editMessage", "updateMutedTopic"],
      (parameters) => Buffer.byteLength(parameters.get("topic") ?? "") > 60,
    ),
  fault("content-cut-at-emoji", "cuts content off before the first character outside the Basic Multilingual Plane")
    .breaks("messages.edit.content")
    .checkedBy("workflow editing-content")
    .reads("editMessage", "content", (content) => content.replace(/[\u{10000}-\u{10ffff}].*$/su, "")),
  fault("binary-uploads-as-text", "reads uploaded files as UTF-8 text")
    .breaks("uploads.create.read-back")
    .checkedBy("workflow uploads-read")
    .changesRequest("uploadFile", (request) => ({ ...request, body: Buffer.from(String(request.body)) })),
  fault("key-case-insensitive", "ignores letter case when it compares API keys")
    .breaks("authentication.wrong-credentials")
    .checkedBy("workflow authentication-letter-case")
    .changesRequest("all", (request, known) => {
      const user = known.callerOf(request);
      const isAlike = credentialsOf(request)?.key.toLowerCase() === user?.apiKey.toLowerCase();
      return isAlike ? asUser(request, user) : request;
    }),
  fault("scheme-case-sensitive", "accepts the authentication scheme only when it is spelled `Basic`")
    .breaks("authentication.basic-user")
    .checkedBy("workflow authentication-letter-case")
    .refuses(
      "all",
      (_, request) => {
        const [scheme = ""] = (headerOf(request, "Authorization") ?? "").split(" ");
        return /^basic$/i.test(scheme) && scheme !== "Basic";
      },
      unauthorized,
    ),
  fault("fragment-decoded-twice", "decodes the fragment of a navigation view twice")
    .breaks("navigation-views.remove.verbatim")
    .changesRequest("removeNavigationView", (request) => {
      const { fragment = "" } = request.path;
      if (!/%[0-9a-f]{2}/i.test(fragment)) return request;
      const decoded = fragment.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return { ...request, target: `/api/v1/navigation_views/${encodeURIComponent(decoded)}` };
    }),
  fault("no-principals-means-caller", "unsubscribes the caller when `principals` is an empty list")
    .breaks("subscriptions.remove.empty-lists")
    .ignores("unsubscribe", "principals", is("principals", "[]")),
]);
