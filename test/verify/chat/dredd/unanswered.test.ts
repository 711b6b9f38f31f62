import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { listen } from "../../../../src/listen.js";
import { runDredd } from "../../../../src/verify/chat/dredd/run-dredd.js";
import { createServerPresence } from "../../../../src/verify/chat/server/server-presence.js";
import { needsStates } from "../../../../src/verify/chat/states/case-setup.js";
import { startStubChat, stubState } from "../stub-chat.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const all = casesAtLevel(await loadContract(), newestLevel);
const means = { contract, level: newestLevel, jobs: 1 };
const find = (...keys: string[]) => all.filter(({ operationId, name }) => keys.includes(`${operationId}/${name}`));
const limited = { result: "error", msg: "Wait", code: "RATE_LIMIT_HIT" };

/** Starts a server that answers the first attempt of each request with 429 and this `Retry-After`. */
async function startLimitingServer(retryAfter: string) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    response.setHeader("Content-Type", "application/json");
    const isSetup = request.url === "/states";
    const isFirst = !isSetup && !bodies.includes(body);
    if (!isSetup) bodies.push(body);
    if (isFirst) response.writeHead(429, { "Retry-After": retryAfter });
    const [own] = request.url === "/api/v1/user_uploads" ? find("uploadFile/text_file") : [];
    const right = isSetup ? stubState({ stream_id: 9, message_id: 8 }) : own?.response.body;
    response.end(JSON.stringify(isFirst ? limited : (right ?? { result: "success", msg: "" })));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, statesUrl: `${url}/states`, bodies };
}

describe("a run of cases without responses", () => {
  it("retries a request byte for byte after a 429", async () => {
    const server = await startLimitingServer("0");
    const checks = await runDredd(find("uploadFile/text_file", "updateMutedTopic/mute_by_id"), { ...server, ...means });
    expect(checks.map(({ outcome }) => outcome)).toEqual([{ kind: "passed" }, { kind: "passed" }]);
    expect(server.bodies.length).toBe(4);
  });

  it("reports no broken rule if a 429 asks for too long a wait", async () => {
    const server = await startLimitingServer("3600");
    const checks = await runDredd(find("updateMutedTopic/mute_by_id"), { ...server, ...means });
    expect(checks[0]?.outcome).toMatchObject({
      kind: "errored",
      reason: "the server keeps answering 429; it asks to wait 3600 seconds",
      trace: [
        { command: expect.stringContaining('{"state":"channel",') },
        { command: expect.stringContaining('{"state":"message",') },
        { command: expect.stringContaining("/muted_topics") },
      ],
    });
  });

  it("stops all concurrent processes, and gives no template of a response", async () => {
    const presence = createServerPresence();
    const some = all.filter(needsStates).slice(0, 90);
    const url = "http://127.0.0.1:1";
    const checks = await runDredd(some, { url, statesUrl: url, ...means, jobs: 2, presence });
    expect([checks.length, presence.isGone]).toEqual([90, true]);
    expect(checks.filter(({ outcome }) => outcome.kind !== "errored" || "help" in outcome)).toEqual([]);
    const reasons = checks.map(({ outcome }) => (outcome.kind === "errored" ? outcome.reason : ""));
    expect(reasons.filter((reason) => reason.includes("does not answer")).length).toBeGreaterThanOrEqual(10);
    expect(reasons.filter((reason) => /in a row/.test(reason)).length).toBeGreaterThan(60);
  });

  it("shows how to answer a provider state whose response lacks a value that the case sends", async () => {
    const server = await startStubChat(
      () => ({ status: 400, body: limited }),
      () => ({ body: stubState({ attachment_id: 3, url: "/u", path_id: "u" }) }),
    );
    const [check] = await runDredd(find("editMessage/detached_upload"), { ...server, ...means });
    expect(check?.outcome).toMatchObject({
      kind: "errored",
      reason: "Provider state attachment could not be set up: the answer has no message_id",
      help: expect.stringContaining("To POST /states with "),
    });
  });
});
