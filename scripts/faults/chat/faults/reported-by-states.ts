import { ofFamily } from "../../fault.js";
import type { Behaviour } from "../behaviour.js";
import { changesValues } from "../changes.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { listOf } from "../messages.js";
import { changes } from "../operators.js";

/** Wrong behaviour that checks see through provider states: notifications, profiles that users edit, addresses, builds and plans. */
export const stateReportFaults: readonly ChatFault[] = ofFamily("reported by states", [
  fault("mail-about-muted-user", "sends e-mail about messages of muted users")
    .breaks("users.mute.no-email-notifications")
    .changesValues("notifications", (values) => {
      values.mails = [{ to: "member@example.com" }];
    }),
  fault("push-about-muted-user", "sends pushes about messages of muted users")
    .breaks("users.mute.no-push-notifications")
    .by(
      changesPushes((values, earlier) => {
        if (listOf(earlier).length === 0) values.pushes = [{ token_kind: "android" }];
      }),
    ),
  fault("push-of-muted-user-not-cleared", "does not clear the pushes of a user who gets muted")
    .breaks("users.mute.notifications-cleared")
    .by(
      changesPushes((values, earlier) => {
        values.pushes = earlier ?? values.pushes;
      }),
    ),
  fault("push-without-account-id", "sends pushes without `push_account_id`")
    .breaks("push.register.account-id-echoed")
    .changesValues("notifications", (values) => {
      for (const push of listOf(values.pushes)) delete push.push_account_id;
    }),
  fault("push-with-rounded-account-id", "sends pushes with the lower 32 bits of `push_account_id`")
    .breaks("push.register.account-id-echoed")
    .changesValues("notifications", (values) => {
      for (const push of listOf(values.pushes)) push.push_account_id = Number(push.push_account_id) >>> 0;
    }),
  fault("fixed-profile-value-edited", "lets users edit profile fields that are not editable")
    .breaks("profile-fields.create.users-do-not-edit")
    .changesValues("own-profile-value", (values) => {
      values.accepted = true;
    }),
  fault("own-profile-value-refused", "lets only administrators edit profile fields")
    .breaks("profile-fields.create.users-edit")
    .changesValues("own-profile-value", (values) => {
      values.accepted = false;
    }),
  fault("url-with-another-scheme", "returns `realm_url` with the scheme `http`")
    .breaks("server-settings.get.realm-url")
    .changesSuccess("getServerSettings", (body) => {
      for (const name of ["realm_url", "realm_uri"])
        if (name in body) body[name] = String(body[name]).replace("https:", "http:");
    }),
  fault("deprecated-url-empty", "returns an empty `realm_uri`")
    .breaks("server-settings.get.realm-uri")
    .checkedBy("workflow server-settings-of-organization")
    .changes("getServerSettings", "realm_uri", () => ""),
  fault("organization-at-root-domain", "returns the name of some organization at the root domain")
    .breaks("server-settings.get.root-domain")
    .adds("getServerSettings", "realm_name", "Elsinore"),
  fault("web-public-access-never-reported", "never reports web-public access")
    .breaks("server-settings.get.web-public")
    .changes("getServerSettings", "realm_web_public_access_enabled", () => false),
  fault("web-public-access-without-channel", "reports web-public access without a web-public channel")
    .breaks("server-settings.get.web-public")
    .changes("getServerSettings", "realm_web_public_access_enabled", () => true),
  fault("web-public-access-after-disabling", "reports web-public access although web-public channels were disabled")
    .breaks("server-settings.get.web-public")
    .by({
      on: ["getServerSettings"],
      start: (known) => {
        let wasOn = false;
        return changes("getServerSettings", "realm_web_public_access_enabled", (isOn) => {
          wasOn ||= isOn === true;
          return wasOn;
        }).start(known);
      },
    }),
  fault("api-version-as-service-version", "returns the version of the API as `service_version`")
    .breaks("server-settings.get.version")
    .returns("getServerSettings", "service_version", "v1"),
  fault("merge-base-differs", "returns a `service_merge_base` that differs from `service_version`")
    .breaks("server-settings.get.merge-base")
    .changes("getServerSettings", "service_merge_base", (base) => (base === "" ? "" : `${base}-1-g1f2e3d4`)),
  fault("unknown-merge-base-guessed", "returns its version as `service_merge_base` if the merge base is unknown")
    .breaks("server-settings.get.merge-base-unavailable")
    .changes("getServerSettings", "service_merge_base", (_, body) => body.service_version),
  fault("all-clients-compatible", "reports every client as compatible")
    .breaks("server-settings.get.incompatible")
    .returns("getServerSettings", "is_incompatible", false),
  fault("all-clients-incompatible", "reports every client as incompatible")
    .breaks("server-settings.get.incompatible")
    .returns("getServerSettings", "is_incompatible", true),
  fault("limited-history-not-reported", "returns `history_limited` false although a plan hides messages")
    .breaks("messages.get.history-limited")
    .checkedBy("workflow reading-limited-history")
    .changes("getMessages", "history_limited", () => false),
  fault(
    "complete-history-reported-as-limited",
    "returns `history_limited` true with the oldest messages although the history is complete",
  )
    .breaks("messages.get.history-limited")
    .checkedBy("workflow reading-limited-history")
    .changesSuccess("getMessages", (body) => {
      if (body.found_oldest === true) body.history_limited = true;
    }),
]);

/** Changes the notifications about a message. `change` also gets the pushes that the state returned first. */
function changesPushes(change: (values: Record<string, unknown>, earlier: unknown) => void): Behaviour {
  const { on, states = [] } = changesValues("notifications", () => {});
  return {
    on,
    states,
    start: (known) => {
      const seen = new Map<unknown, unknown>();
      return changesValues("notifications", (values, { message_id: id }) => {
        const earlier = seen.get(id);
        if (earlier === undefined) seen.set(id, values.pushes);
        change(values, earlier);
      }).start(known);
    },
  };
}
