import { beforeAll, describe, expect, it } from "vitest";
import type { ContractDocument, Schema } from "../../../src/contract/rest/document.js";
import type { ResponseValidators } from "../../../src/contract/rest/validator.js";
import { compileValidators } from "../../../src/judge/validators.js";
import type { CheckResult } from "../../../src/report/model/check-result.js";
import { type Answer, type SeenRequest, startExampleServer } from "../rest/example-server.js";
import { type RunProbesOptions, runProbes } from "./run-probes.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";

const key = "kEy0123456789abcdef";
const caller = (name: string, id: number) => ({ user_id: id, email: `${name}@org.example`, api_key: `${key}-${name}` });
const names = ["owner", "administrator", "moderator", "member", "other", "guest", "bot", "deactivated"];
const setUp = {
  organization: "org-1",
  credentials: Object.fromEntries(names.map((name, index) => [name, caller(name, index + 1)])),
};
const success = { result: "success", msg: "" };
const refusal: Answer = { status: 400, body: { result: "error", msg: "No", code: "BAD_REQUEST" } };
const nobody: Answer = { status: 401, body: { result: "error", msg: "Who?", code: "UNAUTHORIZED" } };
const memberOnly = `Basic ${btoa(`member@org.example:${key}-member`)}`;

const integer: TinyOperation = {
  fields: { size: { type: "integer", minimum: 1, maximum: 8 } },
  required: ["size"],
  sends: { size: 3 },
};

interface Ran {
  readonly checks: readonly CheckResult[];
  /** The requests, except those for states. */
  readonly seen: readonly SeenRequest[];
  /** The number of setups of provider states. */
  readonly setups: number;
}

interface RunOptions extends Partial<RunProbesOptions> {
  /** Defaults to a server that sets them up. */
  readonly states?: "up" | "down" | "none" | "empty";
}

async function run(
  operation: TinyOperation,
  answer: (request: SeenRequest, fields: URLSearchParams) => Answer,
  { states = "up", ...change }: RunOptions = {},
): Promise<Ran> {
  const contract = tinyContract(operation);
  const server = await startExampleServer((request) => {
    if (request.url === "/states") {
      if (states === "empty") return { body: { ...setUp, credentials: {} } };
      return states === "down" ? { status: 500, body: {} } : { body: setUp };
    }
    const query = new URL(request.url ?? "/", "http://h").searchParams;
    return answer(request, request.method === "GET" ? query : new URLSearchParams(request.body));
  });
  try {
    const validators = await validatorsOf(contract);
    const where = states === "none" ? { url: server.url } : { url: server.url, statesUrl: server.url };
    const checks = await runProbes({ ...where, contract, validators, seed: 7, runs: 0, ...change });
    const seen = server.seen.filter(({ url }) => url !== "/states");
    return { checks, seen, setups: server.seen.length - seen.length };
  } finally {
    await server.close();
  }
}

let validatorsOf: (contract: ContractDocument) => Promise<ResponseValidators>;
beforeAll(async () => {
  const compiled = new Map<string, ResponseValidators>();
  validatorsOf = async (contract) => {
    const text = JSON.stringify(contract);
    const known = compiled.get(text) ?? (await compileValidators(contract));
    compiled.set(text, known);
    return known;
  };
});

/** A server that keeps the contract of one integer from 1 to 8. */
function keeps({ authorization }: SeenRequest, fields: URLSearchParams): Answer {
  if (authorization !== memberOnly) return nobody;
  const size = fields.get("size") ?? "";
  if (!/^[1-8]$/.test(size)) return refusal;
  const ignored = [...fields.keys()].filter((name) => name !== "size");
  return { body: ignored.length === 0 ? success : { ...success, ignored_parameters_unsupported: ignored } };
}

const named = (checks: readonly CheckResult[], kind: CheckResult["outcome"]["kind"]) =>
  checks.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id.replace("probe editNote/", ""));

describe("runProbes", () => {
  it("passes all probes of a server that keeps the contract", async () => {
    const { checks } = await run(integer, keeps, { runs: 30 });
    expect(named(checks, "passed").length).toBe(checks.length);
    expect(named(checks, "passed")).toContain("random-violations");
  });

  it.each<[string, TinyOperation, string[]]>([
    ["numbers", integer, ["size-beyond-minimum", "size-beyond-maximum"]],
    [
      "texts",
      { fields: { name: { type: "string", minLength: 1, maxLength: 5, pattern: "^\\P{Lu}*$" } }, sends: { name: "a" } },
      ["name-beyond-min-length", "name-beyond-max-length"],
    ],
    [
      "arrays",
      { fields: { ids: { type: "array", minItems: 1, maxItems: 3 } as Schema }, json: ["ids"], sends: { ids: [1] } },
      ["ids-beyond-min-items", "ids-beyond-max-items"],
    ],
  ])("finds ignored bounds of %s", async (_, operation, want) => {
    const isSelected = ({ id }: { readonly id: string }) => /-(at|beyond)-/.test(id);
    const { checks } = await run(operation, () => ({ body: success }), { isSelected });
    expect(named(checks, "failed").sort()).toEqual(want.sort());
    expect(named(checks, "passed").length).toBeGreaterThan(0);
  });

  it("reports request and response without the key", async () => {
    const { checks } = await run(integer, (request, fields) =>
      fields.has("size")
        ? keeps(request, fields)
        : { body: { ...success, echo: request.authorization, key: `${key}-member` } },
    );
    const failed = checks.find(({ id }) => id === "probe editNote/size-missing");
    expect(failed).toMatchObject({
      kind: "probe",
      operation: "editNote",
      summary: "`size` is omitted",
      rules: [],
      outcome: { kind: "failed", problems: [expect.stringContaining("expected an error of the API, got 200")] },
    });
    const text = JSON.stringify(checks);
    expect(text).toContain("***");
    expect(text).toMatch(/POST http:\/\/127\.0\.0\.1:\d+\/api\/v1\/notes/);
    expect(text).not.toContain(key);
    expect(text).not.toContain(btoa(`member@org.example:${key}-member`).slice(0, 40));
  });

  it("repeats a failed probe in a fresh organization and reports only a second failure", async () => {
    let count = 0;
    const isSelected = ({ id }: { readonly id: string }) => id.endsWith("size-missing");
    const once = await run(integer, (request, fields) => (count++ === 0 ? { body: success } : keeps(request, fields)), {
      isSelected,
    });
    expect([named(once.checks, "passed"), once.seen.length]).toEqual([["size-missing"], 2]);
    const always = await run(integer, () => ({ body: success }), { isSelected });
    expect([named(always.checks, "failed"), always.seen.length]).toEqual([["size-missing"], 2]);
  });

  it("reports a response that the contract forbids even if the next one is allowed", async () => {
    let count = 0;
    const isSelected = ({ id }: { readonly id: string }) => id.endsWith("size-missing");
    const { checks, seen } = await run(
      integer,
      (request, fields) => (count++ === 0 ? { status: 400, body: { msg: "no" } } : keeps(request, fields)),
      { isSelected },
    );
    expect([named(checks, "failed"), seen.length]).toEqual([["size-missing"], 1]);
  });

  it("shares an organization until a request may have changed it", async () => {
    const isSelected = ({ id }: { readonly id: string }) => /size-|unknown-parameters|body-charset/.test(id);
    const { checks, setups } = await run(integer, keeps, { isSelected });
    const succeeded = /-(at-minimum|at-maximum|repeated|in-query)$|unknown-parameters|body-charset/;
    const changing = named(checks, "passed").filter((name) => succeeded.test(name)).length;
    expect(checks.length).toBeGreaterThan(2 * changing);
    expect(setups).toBeLessThanOrEqual(changing + 1);
    const refusing = await run(integer, ({ authorization }) => (authorization === memberOnly ? refusal : nobody), {
      isSelected: ({ id }) => /size-(missing|wrong|beyond)/.test(id),
    });
    expect([refusing.checks.length, refusing.setups]).toEqual([5, 1]);
  });

  it("skips a probe whose request fails without the change too", async () => {
    const { checks } = await run(integer, ({ authorization }) => (authorization === memberOnly ? refusal : nobody));
    expect(named(checks, "failed")).toEqual([]);
    expect(named(checks, "skipped")).toEqual(["unknown-parameters", "unknown-parameters-reported", "body-charset"]);
  });

  it("skips probes that need states if there are none", async () => {
    const { checks, seen } = await run(integer, keeps, { states: "none" });
    const ran = ["method-put", "no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"];
    expect(named(checks, "passed")).toEqual(ran);
    expect(named(checks, "skipped").length).toBe(checks.length - ran.length);
    expect(seen.length).toBe(ran.length);
  });

  it("reports the state whose setup failed and continues", async () => {
    const { checks } = await run(integer, keeps, { states: "down" });
    const errored = checks.filter(({ outcome }) => outcome.kind === "errored");
    expect(errored.length).toBeGreaterThan(10);
    for (const { outcome } of errored) {
      expect(outcome).toMatchObject({
        reason: expect.stringContaining("Provider state organization could not be set up"),
        help: expect.stringContaining("To POST /states with "),
      });
    }
    expect(named(checks, "passed")).toContain("no-credentials");
  });

  it("reports the setups, and names the caller whose key is masked", async () => {
    const isSelected = ({ id }: { readonly id: string }) => id.endsWith("size-missing");
    const { checks } = await run(integer, () => ({ body: success }), { isSelected });
    const [trace = []] = checks.map(({ outcome }) => (outcome.kind === "failed" ? outcome.trace : []));
    expect(trace.map(({ command }) => command)).toEqual([
      expect.stringMatching(/^curl .*"state":"organization".*\/states$/),
      expect.stringMatching(
        /^curl .*-u 'member@org\.example:\*\*\*' .*\/notes # \*{3} is credentials\.member\.api_key in the answer to POST \/states/,
      ),
    ]);
    expect(trace[0]?.response).toContain('"api_key":"***"');
  });

  it("treats states without the caller as a failed setup", async () => {
    const { checks } = await run(integer, keeps, { states: "empty" });
    const errored = checks.filter(({ outcome }) => outcome.kind === "errored");
    expect(errored.length).toBeGreaterThan(10);
    for (const { outcome } of errored) {
      expect(outcome).toMatchObject({
        reason: expect.stringMatching(/the answer has no credentials of \w+$/),
        help: expect.stringContaining("To POST /states with "),
      });
    }
    expect(named(checks, "failed")).toEqual([]);
  });

  it("gives no help on the format of provider states that do not respond", async () => {
    const contract = tinyContract(integer);
    const validators = await validatorsOf(contract);
    const server = { url: "http://127.0.0.1:1", statesUrl: "http://127.0.0.1:1" };
    const checks = await runProbes({ ...server, contract, validators, seed: 1, runs: 0 });
    for (const { outcome } of checks) {
      expect(outcome).toEqual({ kind: "errored", reason: expect.any(String), trace: expect.any(Array) });
    }
  });

  it("stops sending to a server that no longer responds", async () => {
    const validators = await validatorsOf(tinyContract(integer));
    const url = "http://127.0.0.1:1";
    const options = { url, contract: tinyContract(integer), validators, seed: 1, runs: 0 };
    const checks = await runProbes(options);
    expect(named(checks, "errored")).toEqual([
      "method-put",
      "no-credentials",
      "unknown-user",
      "no-base64",
      "no-key",
      "other-scheme",
    ]);
    const { outcome } = checks.find(({ outcome: { kind } }) => kind === "errored") ?? {};
    expect(outcome).toMatchObject({
      reason: expect.stringContaining("no answer"),
      trace: [{ command: expect.any(String) }],
    });
  });

  it("ends when the signal aborts, and returns no checks of unfinished probes", async () => {
    const abort = new AbortController();
    const reported: string[] = [];
    const { checks } = await run(integer, keeps, {
      jobs: 1,
      signal: abort.signal,
      onCheck: ({ id }) => {
        reported.push(id);
        if (reported.length === 3) abort.abort();
      },
    });
    expect(checks.map(({ id }) => id)).toEqual(reported);
    expect(reported.length).toBe(3);
  });
});

const failure: Answer = { status: 500, body: { result: "error", msg: "Oops" } };

describe("random probes", () => {
  const text: TinyOperation = { fields: { name: { type: "string" } }, required: ["name"], sends: { name: "a" } };
  const isSelected = ({ id }: { readonly id: string }) => /random/.test(id);
  const failsOver = (character: string) => (_: SeenRequest, fields: URLSearchParams) =>
    (fields.get("name") ?? "").includes(character) ? failure : { body: success };

  it("find a failing request and report the smallest one", async () => {
    const { checks } = await run(text, failsOver("e"), { runs: 300, isSelected });
    const [check] = checks;
    expect(check).toMatchObject({ id: "probe editNote/random-requests", outcome: { kind: "failed" } });
    const trace = check?.outcome.kind === "failed" ? check.outcome.trace : [];
    expect(trace.at(-1)?.request).toMatch(/\n\nname=e$/);
  });

  it("depend only on the seed", async () => {
    const sent = async (seed: number) =>
      (await run(text, failsOver("never"), { runs: 20, seed, isSelected })).seen.map(({ body }) => body);
    const first = await sent(1);
    expect(first.length).toBe(20);
    expect(await sent(1)).toEqual(first);
    expect(await sent(2)).not.toEqual(first);
  });

  it.each<[string, TinyOperation, Answer, "passed" | "failed"]>([
    ["report a single failure that the contract forbids in every state", text, failure, "failed"],
    ["ignore a single failure that another state may explain", integer, { body: success }, "passed"],
  ])("%s", async (_, operation, wrong, want) => {
    let count = 0;
    const { checks } = await run(
      operation,
      (request, fields) => {
        if (count++ === 0) return wrong;
        return operation === integer ? keeps(request, fields) : { body: success };
      },
      { runs: 5, isSelected },
    );
    expect(checks.map(({ outcome }) => outcome.kind)).toContain(want);
    expect(named(checks, want === "failed" ? "passed" : "failed")).toEqual([]);
    const [problems] = checks.map(({ outcome }) => (outcome.kind === "failed" ? outcome.problems : []));
    expect(problems?.join() ?? "").toMatch(want === "failed" ? /the server failed with 500/ : /^$/);
  });

  it("find an accepted invalid value", async () => {
    const { checks } = await run(
      integer,
      (request, fields) => (/^[a-f]+$/.test(fields.get("size") ?? "") ? { body: success } : keeps(request, fields)),
      { runs: 400, isSelected },
    );
    expect(named(checks, "failed")).toEqual(["random-violations"]);
  });
});
