import { describe, expect, it } from "vitest";
import { systemGroup } from "../../../../reference/chat/groups/create-group.js";
import { createOrganization } from "../../../../reference/chat/organizations/create-organization.js";
import { createChatClient } from "../../../../src/chat/index.js";
import { chatServer } from "../../../support/chat-server.js";

const server = await chatServer({ featureLevel: 200 });

async function settings(headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const withHeaders: typeof fetch = (url, init) => fetch(url, { ...init, headers });
  const answer = await createChatClient({ baseUrl: server.url, fetch: withHeaders }).getServerSettings();
  return (answer as { data: Record<string, unknown> }).data;
}

describe("getServerSettings", () => {
  it("has the fields of the organization if there is exactly one", async () => {
    const { database } = server.services;
    expect(Object.keys(await settings()).filter((name) => name.startsWith("realm_"))).toEqual([]);
    const realm = await createOrganization(database, { key: "elsinore", name: "Elsinore <Players>" });
    const nobody = await systemGroup(database, realm.id, "nobody");
    const channel = { realm_id: realm.id, name: "cellar", is_private: true, can_remove_subscribers_group: nobody };
    await database.insertInto("channel").values(channel).execute();
    const description = 'A *theatre* company <script>alert("1")</script> with a #**cellar**';
    await database.updateTable("realm").set({ description }).where("id", "=", realm.id).execute();
    const alone = await settings();
    expect(alone).toMatchObject({
      service_feature_level: 200,
      service_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      realm_url: "https://elsinore.example",
      realm_uri: "https://elsinore.example",
      realm_name: "Elsinore <Players>",
      push_notifications_enabled: true,
    });
    expect(alone.service_merge_base).toBe(alone.service_version);
    expect(alone.realm_description).toContain("<em>theatre</em>");
    expect(alone.realm_description).not.toContain("<script>");
    // Unauthenticated callers may read it, so it must not reveal the private channel.
    expect(alone.realm_description).toContain("#<strong>cellar</strong>");
    await createOrganization(database);
    expect(await settings({ "X-Forwarded-Host": "Elsinore.example:443" })).toMatchObject({
      realm_url: alone.realm_url,
    });
    expect(Object.keys(await settings()).filter((name) => name.startsWith("realm_"))).toEqual([]);
  });
});
