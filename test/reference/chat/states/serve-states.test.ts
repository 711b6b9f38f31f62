import { once } from "node:events";
import { request } from "node:http";
import { expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";

it("logs no fault if a client disconnects before the end of its request", async () => {
  const operations: string[] = [];
  const faults: unknown[] = [];
  const logger = {
    request: ({ operation }: { operation: string }) => void operations.push(operation),
    warn: () => {},
    fault: (error: unknown) => void faults.push(error),
  };
  const server = await createChatReference({ states: true, logger });
  try {
    const headers = { "Content-Length": 100, Expect: "100-continue" };
    const outgoing = request(server.statesUrl, { method: "POST", headers });
    outgoing.on("error", () => {});
    outgoing.flushHeaders();
    await once(outgoing, "continue");
    outgoing.destroy();
    await expect.poll(() => operations).toHaveLength(1);
    // The response to another request comes after all effects of the cut connection.
    await fetch(server.statesUrl, { method: "POST", body: "{}" });
    expect(faults).toEqual([]);
  } finally {
    await server.close();
  }
});
