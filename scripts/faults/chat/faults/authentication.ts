import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { anonymous, from } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { credentialsOf, type KnownUser } from "../known-organizations.js";
import { failure, unauthorized } from "../messages.js";
import { asUser } from "../requests.js";
import { headerOf } from "../wire.js";

/** Wrong identification of the caller. */
export const authenticationFaults: readonly ChatFault[] = ofFamily("authentication", [
  fault("no-credentials-accepted", "treats a caller without credentials as the previous caller")
    .breaks("authentication.no-credentials")
    .checkedBy("workflow authentication-basic")
    .by(
      remembers(
        "all",
        (): { user?: KnownUser | undefined } => ({}),
        (request, forward, last, known) => {
          last.user = known.callerOf(request) ?? last.user;
          return forward(headerOf(request, "Authorization") === undefined ? asUser(request, last.user) : request);
        },
      ),
    ),
  fault("wrong-key-accepted", "identifies users by e-mail address and accepts any key")
    .breaks("authentication.wrong-credentials")
    .checkedBy("probe registerPushDevice/wrong-key")
    .changesRequest("registerPushDevice", (request, known) => asUser(request, known.callerOf(request))),
  fault("key-of-another-user-accepted", "accepts the key of any user of the organization")
    .breaks("authentication.wrong-credentials")
    .checkedBy("workflow authentication-basic")
    .changesRequest("all", (request, known) => {
      const key = credentialsOf(request)?.key;
      const isKnown = known.colleaguesOf(request).some(({ apiKey }) => apiKey === key);
      return isKnown ? asUser(request, known.callerOf(request)) : request;
    }),
  fault("deactivated-user-accepted", "accepts the key of a deactivated user")
    .breaks("authentication.deactivated-account")
    .checkedBy("probe muteUser/deactivated-user")
    .actsAs("muteUser", "member", from("deactivated")),
  fault("bots-refused", "rejects bots")
    .breaks("authentication.basic-bot")
    .checkedBy("workflow authentication-basic")
    .refuses("all", from("bot"), unauthorized),
  fault("other-schemes-accepted", "accepts credentials of another scheme")
    .breaks("authentication.wrong-credentials")
    .checkedBy("probe getUserStatus/other-scheme")
    .refuses("getUserStatus", (_, request) => /^Bearer /.test(headerOf(request, "Authorization") ?? "")),
  fault("forbidden-instead-of-unauthorized", "returns 403 to unauthenticated callers")
    .breaks("authentication.no-credentials", "errors.status")
    .checkedBy("probe createReminder/no-credentials")
    .returnsStatus("createReminder", { 401: 403 }),
  fault("unauthorized-with-other-code", "returns another code to unauthenticated callers")
    .breaks("authentication.wrong-credentials")
    .checkedBy("probe deleteScheduledMessage/unknown-user")
    .changes("deleteScheduledMessage", "code", (code, _, { status }) => (status === 401 ? "INVALID_API_KEY" : code)),
  fault("bad-request-instead-of-unauthorized", "reports an invalid attachment to an unauthenticated caller")
    .breaks("attachments.delete.not-logged-in")
    .checkedBy("probe deleteAttachment/no-credentials")
    .changesResponse("deleteAttachment", ({ status }) => (status === 401 ? failure() : undefined)),
  fault("settings-need-login", "requires authentication for its settings")
    .breaks("server-settings.get.no-authentication")
    .refuses("getServerSettings", anonymous, unauthorized),
  fault("operation-without-authentication", "does not require authentication for one operation")
    .breaks("authentication.no-credentials")
    .checkedBy("probe setEditTypingStatus/no-credentials")
    .forgives("setEditTypingStatus", "Not logged in"),
]);
