import { parseJson } from "../../../../src/parse-json.js";
import type { Behaviour } from "../behaviour.js";
import {
  always,
  changesAnswer,
  changesError,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  jsonOf,
  parametersOf,
  refuses,
  success,
  withJson,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { authorizationOf } from "../known-organizations.js";
import { headerOf, type WireRequest, withHeader } from "../wire.js";

/** Behaviour of channels, uploads and sessions that only a recommendation or an optional provider state shows. */
export const channelRecommendationFaults: readonly Fault[] = ofFamily("recommendations on channels and uploads", [
  [
    "inaccessible-channel-revealed",
    "reveals that a private channel exists",
    changesError(["unsubscribe"], (body, { request, known }) => {
      const channels = known.valuesOf(known.callerOf(request)?.organization ?? "");
      const isPrivate = channels.some(({ params }) => params.private === true && params.name === body.stream);
      return isPrivate ? { result: "error", msg: "No access", code: "BAD_REQUEST" } : undefined;
    }),
    ["subscriptions.remove.inaccessible-channel"],
    ["workflow subscriptions-remove-refused"],
  ],
  [
    "not-removed-unless-all",
    "lists a channel as not removed if one of several users was not subscribed",
    changesSuccess(["unsubscribe"], (body, { request }) => {
      const principals = listIn(request, "principals");
      return principals.length > 1 ? { ...body, removed: [], not_removed: body.removed } : undefined;
    }),
    ["subscriptions.remove.some-subscribed"],
    ["workflow subscriptions-remove-lists"],
  ],
  [
    "mixed-principals-accepted",
    "accepts ids and addresses in one list",
    always(["unsubscribe"], async (request, forward) => {
      const answer = await forward(request);
      const types = new Set(listIn(request, "principals").map((principal) => typeof principal));
      return answer.status === 400 && types.size > 1 ? success({ removed: [], not_removed: [] }) : answer;
    }),
    ["subscriptions.remove.mixed-principals"],
    ["workflow subscriptions-remove-lists"],
  ],
  [
    "dummy-principal-unknown",
    "does not accept dummy addresses in `principals`",
    refuses("unsubscribe", (parameters) => /"user\d+@/.test(parameters.get("principals") ?? "")),
    ["subscriptions.remove.dummy-principal"],
    ["workflow subscriptions-remove-lists"],
  ],
  [
    "repeated-unmute-refused",
    "refuses to unmute a topic that was never muted",
    refuses(
      "updateMutedTopic",
      (parameters) => parameters.get("op") === "remove" && parameters.get("topic") === "gossip",
    ),
    ["topics.mute.never-muted"],
    ["workflow topics-mute-empty-topic"],
  ],
  [
    "display-name-muted-as-topic",
    "treats the display name of the empty topic as another topic when it is muted",
    changesParameters(["updateMutedTopic"], (parameters) => {
      parameters.set("topic", `${parameters.get("topic")}.`);
    }),
    ["topics.mute.empty-topic-name"],
    ["workflow topics-mute-empty-topic"],
  ],
  [
    "default-channel-added-once",
    "refuses to add a default channel again",
    refusesDefaultChannel((isAdding, isAdded) => isAdding && isAdded),
    ["default-channels.add.again"],
    ["workflow default-channels-cycle"],
  ],
  [
    "default-channel-removed-once",
    "refuses to remove a channel that is not a default channel",
    refusesDefaultChannel((isAdding, isAdded) => !isAdding && !isAdded),
    ["default-channels.remove.again"],
    ["workflow default-channels-cycle"],
  ],
  [
    "view-of-another-user-removed",
    "says that the navigation views of other users were removed",
    forgives("removeNavigationView", "Navigation view does not exist"),
    ["navigation-views.remove.own-only", "navigation-views.remove.verbatim"],
    ["workflow navigation-views-verbatim"],
  ],
  [
    "two-files-accepted",
    "stores the first of two files",
    always(["uploadFile"], async (request, forward) => {
      const answer = await forward(request);
      return answer.status === 400 ? success({ url: "/x", uri: "/x", filename: "x" }) : answer;
    }),
    ["uploads.create.one-only"],
    ["workflow uploads-count"],
  ],
  [
    "empty-file-refused",
    "refuses empty files",
    always(["uploadFile"], (request, forward) =>
      /\r\n\r\n\r\n--/.test(String(request.body)) ? failure(400, "BAD_REQUEST", "No content") : forward(request),
    ),
    ["uploads.create.empty-file"],
    ["workflow uploads-count"],
  ],
  [
    "shared-upload-not-shared",
    "lets only the uploader open an upload that was shared",
    opensOnly((known, request) => known.callerOf(request)?.caller === "member"),
    ["uploads.create.shared-by-message"],
    ["workflow uploads-share"],
  ],
  [
    "resumed-upload-without-url",
    "does not return the URL of a completed resumable upload",
    changesAnswer("all", (answer, { method }) => {
      const body = method === "PATCH" ? jsonOf(answer) : undefined;
      if (body === undefined) return answer;
      const { url, uri, ...rest } = body;
      return withJson(answer, rest);
    }),
    ["uploads.tus.read-back"],
    ["workflow uploads-tus-read"],
  ],
  [
    "offset-for-all-users",
    "reports the offset of a resumable upload to everyone",
    always("all", async (request, forward, known) => {
      const answer = await forward(request);
      if (request.method !== "HEAD" || answer.status !== 404) return answer;
      const users = known.usersOf(known.callerOf(request)?.organization ?? "");
      const member = users.find(({ caller }) => caller === "member");
      return member ? forward(withHeader(request, "Authorization", authorizationOf(member))) : answer;
    }),
    ["uploads.tus.creator-only"],
    ["workflow uploads-tus-read"],
  ],
  [
    "any-metadata-accepted",
    "accepts malformed metadata",
    always("all", async (request, forward) => {
      const answer = await forward(request);
      const hasMetadata = request.method === "POST" && headerOf(request, "Upload-Metadata") !== undefined;
      return hasMetadata && answer.status === 400 ? forward(withHeader(request, "Upload-Metadata")) : answer;
    }),
    ["uploads.tus.metadata-malformed"],
    ["workflow uploads-tus-metadata"],
  ],
  [
    "unsupported-version-processed",
    "processes a part with an unsupported version of the protocol, and refuses it",
    always("all", async (request, forward) => {
      const answer = await forward(request);
      if (request.method === "PATCH" && answer.status === 412) {
        await forward(withHeader(request, "Tus-Resumable", "1.0.0"));
      }
      return answer;
    }),
    ["uploads.tus.unsupported-version-not-processed"],
    ["workflow uploads-tus-version-unprocessed"],
  ],
  [
    "session-ignored",
    "does not accept session cookies",
    always("all", (request, forward) => forward(withHeader(request, "Cookie"))),
    ["authentication.session-cookie", "uploads.tus.session-cookie"],
    ["workflow authentication-session"],
  ],
  [
    "no-session-for-uploads",
    "does not accept session cookies at the tus endpoint",
    always(["createResumableUpload"], (request, forward) => forward(withHeader(request, "Cookie"))),
    ["uploads.tus.session-cookie"],
    ["workflow authentication-session"],
  ],
  [
    "attachment-kept-without-message",
    "keeps an attachment after its last message was deleted",
    forgives("deleteAttachment", "Invalid attachment"),
    ["attachments.delete.last-message-deleted"],
    ["workflow attachments-last-message-deleted"],
  ],
]);

function listIn(request: WireRequest, name: string): unknown[] {
  const value = parseJson(parametersOf(request).get(name) ?? "");
  return Array.isArray(value) ? value : [];
}

/** Serves uploads only to some callers. */
function opensOnly(condition: (known: Parameters<Behaviour["start"]>[0], request: WireRequest) => boolean): Behaviour {
  return always("all", (request, forward, known) =>
    request.target.startsWith("/user_uploads/") && !condition(known, request)
      ? failure(404, "BAD_REQUEST", "There is no such upload")
      : forward(request),
  );
}

/** Refuses to add or remove a channel, depending on whether it was added since the start. */
function refusesDefaultChannel(isRefused: (isAdding: boolean, isAdded: boolean) => boolean): Behaviour {
  return {
    on: ["addDefaultChannel", "removeDefaultChannel"],
    start: () => {
      const added = new Set<unknown>();
      return async (request, forward) => {
        const id = parametersOf(request).get("stream_id");
        const isAdding = request.operationId === "addDefaultChannel";
        if (isRefused(isAdding, added.has(id))) return failure(400, "BAD_REQUEST", "Refused");
        const answer = await forward(request);
        if (answer.status === 200) isAdding ? added.add(id) : added.delete(id);
        return answer;
      };
    },
  };
}
