import { createServer } from "node:http";
import { listen } from "../../src/listen.js";

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = await listen(createServer());
  await server.close();
  return Number(new URL(server.url).port);
}
