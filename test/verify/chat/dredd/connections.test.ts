import { createServer } from "node:http";
import type { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { listen } from "../../../../src/listen.js";
import { runDredd } from "../../../../src/verify/chat/dredd/run-dredd.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const cases = casesAtLevel(await loadContract(), newestLevel).filter(({ name }) => name === "no_credentials");

// After `Connection: close` in a request, a server may close the connection without saying so in its response (RFC 9112, section 9.6).
it("runs cases against a server that closes idle connections unannounced", async () => {
  const used = new Set<Socket>();
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    response.removeHeader("Connection");
    response.writeHead(401, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ result: "error", msg: "Log in", code: "UNAUTHORIZED" }));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const some = cases.slice(0, 6);
  const checks = await runDredd(some, { url, contract, level: newestLevel, jobs: 1 });
  expect(checks.map(({ outcome }) => outcome)).toEqual(some.map(() => ({ kind: "passed" })));
  expect([used.size, received]).toEqual([some.length, some.length]);
});
