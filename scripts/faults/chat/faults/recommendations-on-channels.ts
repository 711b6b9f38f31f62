import { ofFamily } from "../../fault.js";
import type { Behaviour } from "../behaviour.js";
import { remembers } from "../changes.js";
import { all, is, matches } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, listIn, parametersOf } from "../messages.js";
import { asUser } from "../requests.js";
import { headerOf, withHeader } from "../wire.js";

/** Behaviour of channels, uploads and sessions that only a recommendation or an optional provider state shows. */
export const channelRecommendationFaults: readonly ChatFault[] = ofFamily("recommendations on channels and uploads", [
  fault("inaccessible-channel-revealed", "reveals that a private channel exists")
    .breaks("subscriptions.remove.inaccessible-channel")
    .changesError("unsubscribe", (body, { request, known }) => {
      const channels = known.setupsOf(request);
      const isPrivate = channels.some(({ params }) => params.private === true && params.name === body.stream);
      return isPrivate ? { result: "error", msg: "No access", code: "BAD_REQUEST" } : undefined;
    }),
  fault("not-removed-unless-all", "lists a channel as not removed if one of several users was not subscribed")
    .breaks("subscriptions.remove.some-subscribed")
    .changesSuccess("unsubscribe", (body, { parameters }) =>
      listIn(parameters, "principals").length > 1 ? { ...body, removed: [], not_removed: body.removed } : undefined,
    ),
  fault("dummy-principal-unknown", "does not accept dummy addresses in `principals`")
    .breaks("subscriptions.remove.dummy-principal")
    .refuses("unsubscribe", matches("principals", /"user\d+@/)),
  fault("repeated-unmute-refused", "refuses to unmute a topic that was never muted")
    .breaks("topics.mute.never-muted")
    .refuses("updateMutedTopic", all(is("op", "remove"), is("topic", "gossip"))),
  fault("display-name-muted-as-topic", "treats the display name of the empty topic as another topic when it is muted")
    .breaks("topics.mute.empty-topic-name")
    .reads("updateMutedTopic", "topic", (topic) => `${topic}.`),
  fault("default-channel-added-once", "refuses to add a default channel again")
    .breaks("default-channels.add.again")
    .by(refusesDefaultChannel((isAdding, isAdded) => isAdding && isAdded)),
  fault("default-channel-removed-once", "refuses to remove a channel that is not a default channel")
    .breaks("default-channels.remove.again")
    .by(refusesDefaultChannel((isAdding, isAdded) => !isAdding && !isAdded)),
  fault("empty-file-refused", "refuses empty files")
    .breaks("uploads.create.empty-file")
    .refuses("uploadFile", (_, { body }) => /\r\n\r\n\r\n--/.test(String(body))),
  fault("shared-upload-not-shared", "lets only the uploader open an upload that was shared")
    .breaks("uploads.create.shared-by-message")
    .refuses(
      "all",
      (_, request, known) => {
        return request.target.startsWith("/user_uploads/") && known.callerOf(request)?.caller !== "member";
      },
      failure(404),
    ),
  fault("resumed-upload-without-url", "does not return the URL of a completed resumable upload")
    .breaks("uploads.tus.read-back")
    .changesJson("all", (body, { request }) => {
      if (request.method !== "PATCH" || !request.target.startsWith("/api/v1/tus")) return;
      for (const name of ["url", "uri"]) delete body[name];
    }),
  fault("offset-for-all-users", "reports the offset of a resumable upload to everyone")
    .breaks("uploads.tus.creator-only")
    .always("all", async (request, forward, known) => {
      const response = await forward(request);
      const isHidden = request.method === "HEAD" && response.status === 404;
      const member = known.colleagueOf(request, "member");
      return isHidden && member ? forward(asUser(request, member)) : response;
    }),
  fault("any-metadata-accepted", "accepts malformed metadata")
    .breaks("uploads.tus.metadata-malformed")
    .always("all", async (request, forward) => {
      const response = await forward(request);
      const hasMetadata = request.method === "POST" && headerOf(request, "Upload-Metadata") !== undefined;
      return hasMetadata && response.status === 400 ? forward(withHeader(request, "Upload-Metadata")) : response;
    }),
  fault("unsupported-version-processed", "processes a part with an unsupported version of the protocol, and refuses it")
    .breaks("uploads.tus.unsupported-version-not-processed")
    .always("all", async (request, forward) => {
      const response = await forward(request);
      const isUnsupported = request.method === "PATCH" && response.status === 412;
      if (isUnsupported) await forward(withHeader(request, "Tus-Resumable", "1.0.0"));
      return response;
    }),
  fault("session-ignored", "does not accept session cookies")
    .breaks("authentication.session-cookie", "uploads.tus.session-cookie")
    .changesRequest("all", (request) => withHeader(request, "Cookie")),
  fault("no-session-for-uploads", "does not accept session cookies at the tus endpoint")
    .breaks("uploads.tus.session-cookie")
    .changesRequest("createResumableUpload", (request) => withHeader(request, "Cookie")),
]);

/** Refuses to add or remove a channel, depending on whether it was added since the start. */
export function refusesDefaultChannel(isRefused: (isAdding: boolean, isAdded: boolean) => boolean): Behaviour {
  return remembers(
    ["addDefaultChannel", "removeDefaultChannel"],
    () => new Set<unknown>(),
    async (request, forward, added) => {
      const id = parametersOf(request).get("stream_id");
      const isAdding = request.operationId === "addDefaultChannel";
      if (isRefused(isAdding, added.has(id))) return failure();
      const response = await forward(request);
      if (response.status === 200) isAdding ? added.add(id) : added.delete(id);
      return response;
    },
  );
}
