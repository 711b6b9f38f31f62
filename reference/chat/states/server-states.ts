import { Refusal } from "../../../src/chat/server/index.js";
import { systemGroup } from "../groups/create-group.js";
import { compatibleClient, incompatibleClient } from "../organizations/client-compatibility.js";
import { version } from "../organizations/get-server-settings.js";
import { canonicalUrl, rootHost } from "../organizations/organization-address.js";
import { storeServerSettings } from "../organizations/server-settings.js";
import { setOwnProfileValue } from "../profile-fields/profile-values.js";
import { keyOf } from "../storage/database.js";
import type { StateSetups } from "./state-setup.js";

/** Provider states of the server, its addresses and the plans of organizations. */
export const serverStates = {
  build: async ({ services }, { knows_merge_base: knowsMergeBase = true }) => {
    await storeServerSettings(services.database, { knowsMergeBase });
    return { version };
  },
  "client-compatibility": async () => ({ compatible: compatibleClient, incompatible: incompatibleClient }),
  "organization-address": async ({ realm }) => ({
    host: realm.host,
    root_host: rootHost,
    realm_url: canonicalUrl(realm),
  }),
  "web-public-channel": async ({ services: { database }, realm }, { name, enabled }) => {
    await database.updateTable("realm").set({ web_public_channels: enabled }).where("id", "=", realm.id).execute();
    const made = await database
      .updateTable("channel")
      .set({ is_web_public: true })
      .where("realm_id", "=", realm.id)
      .where("name_key", "=", keyOf(name))
      .executeTakeFirst();
    if (made.numUpdatedRows > 0n) return {};
    const remover = await systemGroup(database, realm.id, "nobody");
    const channel = { realm_id: realm.id, name, is_web_public: true, can_remove_subscribers_group: remover };
    await database.insertInto("channel").values(channel).execute();
    return {};
  },
  "limited-history": async ({ services: { database }, realm }, { message_id: first_visible_message_id }) => {
    await database.updateTable("realm").set({ first_visible_message_id }).where("id", "=", realm.id).execute();
    return {};
  },
  "own-profile-value": async ({ services, realm, user }, { by = "member", profile_field_id: id, value }) => {
    try {
      await setOwnProfileValue(services.database, { user: user(by), realm }, { id, value });
      return { accepted: true };
    } catch (error) {
      if (error instanceof Refusal) return { accepted: false };
      throw error;
    }
  },
} satisfies Partial<StateSetups>;
