import type { Behaviour } from "../behaviour.js";
import { changesSuccess, changesValues, listOf } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Wrong behaviour that checks see through provider states: notifications, profiles that users edit, addresses, builds and plans. */
export const stateReportFaults: readonly Fault[] = ofFamily("reported by states", [
  [
    "mail-about-muted-user",
    "sends e-mail about messages of muted users",
    changesValues("notifications", (values) => {
      values.mails = [{ to: "member@example.com" }];
    }),
    ["users.mute.no-email-notifications"],
    ["workflow muting-users-notifications"],
  ],
  [
    "push-about-muted-user",
    "sends pushes about messages of muted users",
    remembers((values, earlier) => {
      if (listOf(earlier).length === 0) values.pushes = [{ token_kind: "android" }];
    }),
    ["users.mute.no-push-notifications"],
    ["workflow muting-users-notifications"],
  ],
  [
    "push-of-muted-user-not-cleared",
    "does not clear the pushes of a user who gets muted",
    remembers((values, earlier) => {
      values.pushes = earlier ?? values.pushes;
    }),
    ["users.mute.notifications-cleared"],
    ["workflow muting-users-notifications"],
  ],
  [
    "push-without-account-id",
    "sends pushes without `push_account_id`",
    changesValues("notifications", (values) => {
      values.pushes = listOf(values.pushes).map(({ push_account_id: _, ...push }) => push);
    }),
    ["push.register.account-id-echoed"],
    ["workflow push-account-id-echoed"],
  ],
  [
    "push-with-rounded-account-id",
    "sends pushes with the lower 32 bits of `push_account_id`",
    changesValues("notifications", (values) => {
      for (const push of listOf(values.pushes)) push.push_account_id = Number(push.push_account_id) >>> 0;
    }),
    ["push.register.account-id-echoed"],
    ["workflow push-account-id-echoed"],
  ],
  [
    "fixed-profile-value-edited",
    "lets users edit profile fields that are not editable",
    changesValues("own-profile-value", (values) => {
      values.accepted = true;
    }),
    ["profile-fields.create.users-do-not-edit"],
    ["workflow profile-fields-edited-by-users"],
  ],
  [
    "own-profile-value-refused",
    "lets only administrators edit profile fields",
    changesValues("own-profile-value", (values) => {
      values.accepted = false;
    }),
    ["profile-fields.create.users-edit"],
    ["workflow profile-fields-edited-by-users"],
  ],
  [
    "url-with-another-scheme",
    "returns `realm_url` with the scheme `http`",
    changesSuccess(["getServerSettings"], (body) => {
      for (const name of ["realm_url", "realm_uri"])
        if (name in body) body[name] = String(body[name]).replace("https:", "http:");
    }),
    ["server-settings.get.realm-url"],
    ["workflow server-settings-of-organization"],
  ],
  [
    "deprecated-url-empty",
    "returns an empty `realm_uri`",
    changesSuccess(["getServerSettings"], (body) => {
      if ("realm_uri" in body) body.realm_uri = "";
    }),
    ["server-settings.get.realm-uri"],
    ["workflow server-settings-of-organization"],
  ],
  [
    "organization-at-root-domain",
    "returns the name of some organization at the root domain",
    changesSuccess(["getServerSettings"], (body) => {
      body.realm_name ??= "Elsinore";
    }),
    ["server-settings.get.root-domain"],
    ["workflow server-settings-of-organization"],
  ],
  [
    "web-public-access-never-reported",
    "never reports web-public access",
    changesWebPublic(() => false),
    ["server-settings.get.web-public"],
    ["workflow server-settings-web-public"],
  ],
  [
    "web-public-access-without-channel",
    "reports web-public access without a web-public channel",
    changesWebPublic(() => true),
    ["server-settings.get.web-public"],
    ["workflow server-settings-web-public"],
  ],
  [
    "web-public-access-after-disabling",
    "reports web-public access although web-public channels were disabled",
    {
      on: ["getServerSettings"],
      start: (known) => {
        let wasOn = false;
        return changesWebPublic((isOn) => {
          wasOn ||= isOn;
          return wasOn;
        }).start(known);
      },
    },
    ["server-settings.get.web-public"],
    ["workflow server-settings-web-public"],
  ],
  [
    "api-version-as-service-version",
    "returns the version of the API as `service_version`",
    changesSuccess(["getServerSettings"], (body) => {
      body.service_version = "v1";
    }),
    ["server-settings.get.version"],
    ["workflow server-settings-build"],
  ],
  [
    "merge-base-differs",
    "returns a `service_merge_base` that differs from `service_version`",
    changesSuccess(["getServerSettings"], (body) => {
      if (body.service_merge_base !== "") body.service_merge_base = `${body.service_merge_base}-1-g1f2e3d4`;
    }),
    ["server-settings.get.merge-base"],
    ["workflow server-settings-build"],
  ],
  [
    "unknown-merge-base-guessed",
    "returns its version as `service_merge_base` if the merge base is unknown",
    changesSuccess(["getServerSettings"], (body) => {
      body.service_merge_base = body.service_version;
    }),
    ["server-settings.get.merge-base-unavailable"],
    ["workflow server-settings-build"],
  ],
  [
    "all-clients-compatible",
    "reports every client as compatible",
    changesSuccess(["getServerSettings"], (body) => {
      body.is_incompatible = false;
    }),
    ["server-settings.get.incompatible"],
    ["workflow server-settings-compatibility"],
  ],
  [
    "all-clients-incompatible",
    "reports every client as incompatible",
    changesSuccess(["getServerSettings"], (body) => {
      body.is_incompatible = true;
    }),
    ["server-settings.get.incompatible"],
    ["workflow server-settings-compatibility"],
  ],
  [
    "limited-history-not-reported",
    "returns `history_limited` false although a plan hides messages",
    changesSuccess(["getMessages"], (body) => {
      if ("history_limited" in body) body.history_limited = false;
    }),
    ["messages.get.history-limited"],
    ["workflow reading-limited-history"],
  ],
  [
    "complete-history-reported-as-limited",
    "returns `history_limited` true with the oldest messages although the history is complete",
    changesSuccess(["getMessages"], (body) => {
      if (body.found_oldest === true) body.history_limited = true;
    }),
    ["messages.get.history-limited"],
    ["workflow reading-limited-history"],
  ],
]);

/** Changes the notifications about a message. `change` also gets the pushes that the state returned first. */
function remembers(change: (values: Record<string, unknown>, earlier: unknown) => void): Behaviour {
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

function changesWebPublic(change: (isOn: boolean) => boolean): Behaviour {
  return changesSuccess(["getServerSettings"], (body) => {
    const { realm_web_public_access_enabled: isOn } = body;
    if (typeof isOn === "boolean") body.realm_web_public_access_enabled = change(isOn);
  });
}
