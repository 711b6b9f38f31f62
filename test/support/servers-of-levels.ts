import { afterAll, beforeAll } from "vitest";
import { type ChatReference, createChatReference } from "../../reference/chat/create-chat-reference.js";

/** Runs reference servers for the tests of a file, one per feature level. Returns a function that finds the server of a level. */
export function serversOfLevels(...levels: readonly number[]): (level: number) => ChatReference {
  const servers = new Map<number, ChatReference>();
  beforeAll(async () => {
    for (const featureLevel of levels) {
      servers.set(featureLevel, await createChatReference({ states: true, validateResponses: true, featureLevel }));
    }
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.close();
  });
  return (level) => {
    const server = servers.get(level);
    if (server === undefined) throw new Error(`there is no server of level ${level}`);
    return server;
  };
}
