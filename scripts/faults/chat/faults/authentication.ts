import { always, changesAnswer, changesError, failure, forgives, refusesCaller } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { authorizationOf, credentialsOf, type KnownUser } from "../known-organizations.js";
import { headerOf, type WireRequest, withHeader } from "../wire.js";

const refused = failure(401, "UNAUTHORIZED", "Invalid API key");

function sentBy(request: WireRequest, user: KnownUser | undefined): WireRequest {
  return user === undefined ? request : withHeader(request, "Authorization", authorizationOf(user));
}

/** Wrong identification of the caller. */
export const authenticationFaults: readonly Fault[] = ofFamily("authentication", [
  [
    "no-credentials-accepted",
    "treats a caller without credentials as the previous caller",
    {
      on: "all",
      start: (known) => {
        let last: KnownUser | undefined;
        return (request, forward) => {
          last = known.callerOf(request) ?? last;
          return forward(headerOf(request, "Authorization") === undefined ? sentBy(request, last) : request);
        };
      },
    },
    ["authentication.no-credentials"],
    ["workflow authentication-basic"],
  ],
  [
    "wrong-key-accepted",
    "identifies users by e-mail address and accepts any key",
    always(["registerPushDevice"], (request, forward, known) => forward(sentBy(request, known.callerOf(request)))),
    ["authentication.wrong-credentials"],
    ["probe registerPushDevice/wrong-key"],
  ],
  [
    "key-of-another-user-accepted",
    "accepts the key of any user of the organization",
    always("all", (request, forward, known) => {
      const caller = known.callerOf(request);
      const key = credentialsOf(request)?.key;
      const isKnown = known.usersOf(caller?.organization ?? "").some(({ apiKey }) => apiKey === key);
      return forward(isKnown ? sentBy(request, caller) : request);
    }),
    ["authentication.wrong-credentials"],
    ["workflow authentication-basic"],
  ],
  [
    "deactivated-user-accepted",
    "accepts the key of a deactivated user",
    always(["muteUser"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const users = known.usersOf(caller?.organization ?? "");
      return forward(
        caller?.caller === "deactivated"
          ? sentBy(
              request,
              users.find((user) => user.caller === "member"),
            )
          : request,
      );
    }),
    ["authentication.deactivated-account"],
    ["probe muteUser/deactivated-user"],
  ],
  [
    "bots-refused",
    "rejects bots",
    refusesCaller("all", "bot", refused),
    ["authentication.basic-bot"],
    ["workflow authentication-basic"],
  ],
  [
    "other-schemes-accepted",
    "accepts credentials of another scheme",
    always(["getUserStatus"], (request, forward) =>
      headerOf(request, "Authorization")?.startsWith("Bearer ")
        ? failure(400, "BAD_REQUEST", "No such user")
        : forward(request),
    ),
    ["authentication.wrong-credentials"],
    ["probe getUserStatus/other-scheme"],
  ],
  [
    "forbidden-instead-of-unauthorized",
    "returns 403 to unauthenticated callers",
    changesAnswer(["createReminder"], (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer)),
    ["authentication.no-credentials", "errors.status"],
    ["probe createReminder/no-credentials"],
  ],
  [
    "unauthorized-with-other-code",
    "returns another code to unauthenticated callers",
    changesError(["deleteScheduledMessage"], (body, { status }) => {
      if (status === 401) body.code = "INVALID_API_KEY";
    }),
    ["authentication.wrong-credentials"],
    ["probe deleteScheduledMessage/unknown-user"],
  ],
  [
    "bad-request-instead-of-unauthorized",
    "reports an invalid attachment to an unauthenticated caller",
    always(["deleteAttachment"], async (request, forward) => {
      const answer = await forward(request);
      return answer.status === 401 ? failure(400, "BAD_REQUEST", "Invalid attachment") : answer;
    }),
    ["attachments.delete.not-logged-in"],
    ["probe deleteAttachment/no-credentials"],
  ],
  [
    "settings-need-login",
    "requires authentication for its settings",
    always(["getServerSettings"], (request, forward) =>
      headerOf(request, "Authorization") === undefined ? refused : forward(request),
    ),
    ["server-settings.get.no-authentication"],
    ["case getServerSettings/before_login"],
  ],
  [
    "operation-without-authentication",
    "does not require authentication for one operation",
    forgives("setEditTypingStatus", "Not logged in"),
    ["authentication.no-credentials"],
    ["probe setEditTypingStatus/no-credentials"],
  ],
]);
