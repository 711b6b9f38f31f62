import { createServer } from "node:http";
import { listen } from "../../src/base/listen.js";

/** Returns a TCP port that is free at the time of the call. */
export async function freePort(): Promise<number> {
  const server = await listen(createServer());
  await server.close();
  return Number(new URL(server.url).port);
}
