import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { atFeatureLevel } from "../../../../src/contract/level/at-feature-level.js";
import { loadContract } from "../../../../src/contract/load-contract.js";
import type { Listening } from "../../../../src/listen.js";
import { runProbes } from "../../../../src/verify/chat/probes/run-probes.js";
import type { Check } from "../../../../src/verify/check.js";
import { answerJson, type Fault, type PassingAnswer, startFaultyServer } from "./faulty-server.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
let behind: ChatReference;
let server: Listening | undefined;
beforeAll(async () => {
  behind = await createChatReference({ states: true });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => behind.close());

const body = (answer: PassingAnswer): Record<string, unknown> => JSON.parse(answer.text);
const notFound = { status: 404, type: "text/html", text: "<h1>Not found</h1>" };

/** What keeps the contract, whatever it does otherwise. */
const variations: readonly (readonly [name: string, fault: Fault])[] = [
  ["says the charset of its answers", { answer: (answer) => ({ ...answer, type: "Application/JSON;charset=utf-8" }) }],
  [
    "sends further fields, other texts and its fields in another order",
    {
      answer: (answer) => {
        const fields = Object.entries({ ...body(answer), more: [1], ...(answer.status >= 400 ? { msg: "Nein" } : {}) });
        return { ...answer, text: JSON.stringify(Object.fromEntries(fields.reverse()), null, 4) };
      },
    },
  ],
  [
    "has a status and code of its own for parameters that are missing or malformed",
    {
      answer: (answer) => {
        const { msg } = body(answer);
        const isMalformed = answer.status === 400 && /^(Missing|Argument|The form|Content)/.test(String(msg));
        return isMalformed ? answerJson(422, { result: "error", msg, code: "INVALID_PARAMETERS" }) : answer;
      },
    },
  ],
  [
    "sees in the path whether a value is a number",
    {
      request: (request) =>
        /\/(messages|users|muted_users)\/(no-such-value|1\.5|1e3)\b/.test(request.target) ? notFound : request,
    },
  ],
  [
    "takes parameters from the body alone",
    {
      request: (request) =>
        request.method === "GET" ? request : { ...request, target: request.target.replace(/\?.*/, "") },
    },
  ],
  [
    "takes no media type but the form",
    {
      request: (request) =>
        request.body.length === 0 || /urlencoded/.test(request.type ?? "")
          ? request
          : { status: 415, type: "text/plain", text: "Unsupported" },
    },
  ],
  [
    "answers requests that it does not list with HTML",
    { request: (request) => (request.method === "PUT" ? notFound : request) },
  ],
  [
    "answers a deactivated user otherwise than a stranger",
    {
      request: (request, users) =>
        users.find(({ authorization }) => authorization === request.authorization)?.caller === "deactivated"
          ? answerJson(403, { result: "error", msg: "Deactivated", code: "USER_DEACTIVATED" })
          : request,
    },
  ],
  [
    "sorts out requests that are too long",
    { request: (request) => (request.target.length > 4_000 ? { ...notFound, status: 414 } : request) },
  ],
];

/** Operations with and without a login, with parameters in path and body, and with JSON among them. */
const operations = ["getServerSettings", "getUserStatus", "muteUser", "unsubscribe"];

/** The checks that are more than passed on a server that varies. */
async function reportedOf(fault: Fault): Promise<Check[]> {
  server = await startFaultyServer(behind, fault);
  const { url } = server;
  const isSelected = ({ operation }: { readonly operation: string }) => operations.includes(operation);
  const options = { url, statesUrl: url, contract, validators: responseValidators, seed: 1, runs: 3, isSelected };
  const checks = await runProbes(options);
  expect(checks.length).toBeGreaterThan(80);
  return checks.filter(({ outcome }) => outcome.kind !== "passed");
}

describe("probes report nothing of a server that", () => {
  it.each(variations)("%s", async (_, fault) => {
    expect(await reportedOf(fault)).toEqual([]);
  });

  it("wants to be asked more slowly", async () => {
    let count = 0;
    const busy: Fault = {
      request: (request) =>
        ++count % 3 === 0
          ? {
              ...answerJson(429, { result: "error", msg: "Wait", code: "RATE_LIMIT_HIT" }),
              headers: { "Retry-After": "0" },
            }
          : request,
    };
    expect(await reportedOf(busy)).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
