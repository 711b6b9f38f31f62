import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import { loadContract } from "../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../src/contract/chat/level/cases-at-level.js";
import { runDredd } from "../../../src/verify/chat/dredd/run-dredd.js";
import { sendRequest } from "../../../src/verify/chat/exchange/send-request.js";
import { listProbes } from "../../../src/verify/chat/probes/list-probes.js";
import { runProbes } from "../../../src/verify/chat/probes/run-probes.js";
import { readServerSettings } from "../../../src/verify/chat/server/read-server-settings.js";
import { createStatesClient } from "../../../src/verify/chat/states/states-client.js";
import { runTusCheck, tusCheck } from "../../../src/verify/chat/tus/run-tus-check.js";
import { listWorkflows } from "../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../src/verify/chat/workflows/run-workflows.js";
import type { Check } from "../../../src/verify/check.js";
import { listenOn } from "../../support/listen-on.js";
import type { Answer } from "./example-server.js";
import { startStubChat, stubState } from "./stub-chat.js";

const document = await loadContract();
const contract = atFeatureLevel(document, newestLevel);
const fault =
  /the server redirects to (?:http:\/\/127\.0\.0\.1:\d+|another path of itself) with status 30[12378], and a redirect is not followed$/;
const resumption = tusCheck({ workflowId: "uploads-tus-resume", rules: ["uploads.tus.resumable"] });
const limits = { timeoutMs: 300_000, signal: new AbortController().signal };

/** Starts a server that redirects in every way, and a target that must not be reached. */
async function startRedirecting({ redirectsStates = false } = {}) {
  let connections = 0;
  const other = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  const host = `127.0.0.1:${await listenOn(other)}`;
  onTestFinished(() => void other.close());
  let count = 0;
  const redirect = (): Answer => {
    const status = [301, 302, 303, 307, 308][count % 5] ?? 307;
    const Location = [`http://${host}/there`, `//${host}/there`, "/there", "there"][Math.floor(count++ / 5) % 4] ?? "";
    const headers = {
      Location,
      Refresh: `0; url=http://${host}/refreshed`,
      "Alt-Svc": `http/1.1="${host}"; ma=60`,
      "Content-Location": `http://${host}/content`,
      Link: `<http://${host}/next>; rel="next"`,
    };
    return { status, headers, body: { result: "success", msg: "", url: `http://${host}/url` } };
  };
  const state = () => (redirectsStates ? redirect() : { body: stubState({ stream_id: 9, message_id: 8 }) });
  const chat = await startStubChat(redirect, state);
  const expectNothingFollowed = () => {
    expect(connections).toBe(0);
    expect(chat.seen.filter(({ url }) => /there|refreshed|content$|next/.test(url ?? ""))).toEqual([]);
  };
  return { ...chat, expectNothingFollowed };
}

const problemsOf = ({ outcome }: Check) => (outcome.kind === "failed" ? outcome.problems : [JSON.stringify(outcome)]);

describe("a redirect", () => {
  it.each(["GET", "POST", "PATCH", "HEAD"])("is a fault in the response to %s and is not followed", async (method) => {
    const { url, seen, expectNothingFollowed } = await startRedirecting();
    for (let round = 0; round < 20; round++) {
      const response = await sendRequest({ method, url: `${url}/x`, headers: { Authorization: "Basic a" } }, limits);
      expect(response.fault).toMatch(fault);
    }
    expect(seen.length).toBe(20);
    expectNothingFollowed();
  });

  it("fails every case, and Dredd does not follow it", async () => {
    const { expectNothingFollowed, ...server } = await startRedirecting();
    const cases = casesAtLevel(document, newestLevel)
      .filter(({ given }) => given.length < 2)
      .slice(0, 24);
    const checks = await runDredd(cases, { ...server, contract, level: newestLevel, jobs: 1 });
    const sent = checks.filter(({ outcome }) => outcome.kind !== "errored");
    expect(sent.length).toBeGreaterThan(15);
    for (const check of sent) expect(problemsOf(check)).toEqual([expect.stringMatching(fault)]);
    expectNothingFollowed();
  });

  it("fails every workflow, and Respect does not follow it", async () => {
    const { expectNothingFollowed, ...server } = await startRedirecting();
    const workflows = listWorkflows(document, contract).slice(0, 24);
    const checks = await runWorkflows(workflows, { ...server, contract, validators: responseValidators, jobs: 1 });
    // The server has no values of some states, so a workflow may end before its first call.
    const sent = checks.filter(({ outcome }) => outcome.kind === "failed");
    expect(sent.length).toBeGreaterThan(10);
    for (const check of sent) expect(problemsOf(check)).toEqual([expect.stringMatching(fault)]);
    expectNothingFollowed();
  });

  it("prevents a workflow from running if a setup redirects, and Respect does not follow it", async () => {
    const { expectNothingFollowed, ...server } = await startRedirecting({ redirectsStates: true });
    const workflows = listWorkflows(document, contract)
      .filter(({ states }) => states.length > 0)
      .slice(0, 20);
    const checks = await runWorkflows(workflows, { ...server, contract, validators: responseValidators, jobs: 1 });
    expect(checks.length).toBe(20);
    for (const { outcome } of checks) {
      expect(outcome).toMatchObject({ kind: "errored", reason: expect.stringMatching(fault) });
    }
    expectNothingFollowed();
  });

  it("fails every probe", async () => {
    const { expectNothingFollowed, ...server } = await startRedirecting();
    const checks = await runProbes({
      ...server,
      contract,
      validators: responseValidators,
      seed: 1,
      runs: 2,
      probes: listProbes(contract).filter(({ operationId }) =>
        ["getUserStatus", "updateMutedTopic"].includes(operationId),
      ),
    });
    expect(checks.length).toBeGreaterThan(10);
    for (const check of checks.filter(({ outcome }) => outcome.kind !== "errored" && outcome.kind !== "skipped"))
      expect(problemsOf(check)).toEqual([expect.stringMatching(fault)]);
    expectNothingFollowed();
  });

  it("fails the resumption of an upload", async () => {
    const { expectNothingFollowed, ...server } = await startRedirecting();
    const check = await runTusCheck(resumption, { ...server, ...limits });
    expect(check?.outcome).toMatchObject({ kind: "failed", problems: [expect.stringMatching(fault)] });
    expectNothingFollowed();
  });

  it("fails the setup of provider states", async () => {
    const { statesUrl, expectNothingFollowed } = await startRedirecting({ redirectsStates: true });
    const states = createStatesClient(statesUrl);
    for (let round = 0; round < 20; round++) await expect(states.setUp([])).rejects.toThrow(fault);
    expectNothingFollowed();
  });

  it("prevents reading the feature level", async () => {
    const { url, expectNothingFollowed } = await startRedirecting();
    for (let round = 0; round < 20; round++) {
      await expect(readServerSettings(url, { timeoutMs: 300_000 })).rejects.toThrow(
        /redirects to .*not followed\. Give the URL of the server itself$/,
      );
    }
    expectNothingFollowed();
  });
});

describe("the URL of an upload", () => {
  it("is not sent a key if it is at another origin", async () => {
    const { expectNothingFollowed, ...server } = await startRedirecting();
    const elsewhere = await startStubChat(() => ({ body: {} }));
    const tus = await startStubChat(() => ({
      status: 201,
      headers: { Location: `${elsewhere.url}/upload`, "Tus-Resumable": "1.0.0" },
      body: "",
    }));
    const check = await runTusCheck(resumption, { url: tus.url, statesUrl: server.statesUrl, ...limits });
    expect(check?.outcome).toMatchObject({
      kind: "failed",
      problems: [`Location: the upload is at an origin other than that of the API, ${elsewhere.url}`],
    });
    expect(elsewhere.seen).toEqual([]);
    expectNothingFollowed();
  });
});
