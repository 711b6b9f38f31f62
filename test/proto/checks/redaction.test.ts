import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, describe, expect, it } from "vitest";
import { secretsOf } from "../../../proto/checks/secrets.js";
import type { CheckedLog } from "../../../src/checks.js";
import { hostOf } from "../../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import type { CallRpc, RpcAnswer } from "../../../src/judge/rpc/answer.js";
import { rpcChecksOf } from "../../../src/verify/rpc/rpc-code-checks.js";
import { runRpcCode } from "../../../src/verify/rpc/run-rpc-code.js";
import { createCodeGuard } from "../../../src/verify/run/code-guard.js";

const contract = await loadDaemonContract();
const checks = await rpcChecksOf(contract);
const guard = createCodeGuard(60_000);
afterAll(guard.close);

/** The case whose answers are judged. */
const leaky = "redact-percent-encoded";
const [secret = ""] = secretsOf[leaky] ?? [];

interface Judged {
  readonly id?: string;
  readonly log?: CheckedLog;
  readonly doesFetch?: boolean;
}

/** Runs a check against a daemon that always answers so, after it fetched the URL. */
async function judge(answer: RpcAnswer, { id = `case ${leaky}`, log, doesFetch = true }: Judged = {}) {
  const check = checks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}`);
  const callRpc: CallRpc = async (_, { url }) => {
    // Node does not fetch URLs with credentials.
    const plain = String(url).replace(/\/\/[^/]*@/, "//");
    if (doesFetch) await fetch(plain).catch(() => undefined);
    return answer;
  };
  const probe = { fetches: async () => doesFetch, refusesAll: async () => false };
  const target = {
    contract,
    address: "http://127.0.0.1:1",
    protocol: "grpc",
    createCall: () => callRpc,
    probe,
  } as const;
  const { signal } = new AbortController();
  const selected = new Set([`case ${leaky}`]);
  const { outcome } = await runRpcCode(check, { target, guard, signal, selected, ...(log && { log }) });
  return outcome as { kind: string; broken?: string[]; problems?: string[] };
}

const reply = (json: JsonObject, bytes = ""): RpcAnswer => ({
  ...{ kind: "reply", reply: json, bytes: Buffer.from(bytes), metadata: [] },
});
const error = (part: Partial<Extract<RpcAnswer, { kind: "error" }>> = {}): RpcAnswer => ({
  ...{ kind: "error", code: "unavailable", message: "", details: [], metadata: [] },
  ...part,
});
const unreachable: RpcAnswer = { kind: "unreachable", text: secret, help: "" };

it("replaces the case of every secret, whose host it serves", () => {
  const cases = contract.cases.filter(({ name }) => secretsOf[name] !== undefined);
  expect(cases.map(({ name }) => name)).toEqual(Object.keys(secretsOf));
  expect(cases.filter((one) => hostOf(one) !== undefined).length).toBeGreaterThan(25);
});

it("has secrets that no other case sends, so that a log of those shows nothing", () => {
  const others = JSON.stringify(contract.cases.filter(({ name }) => secretsOf[name] === undefined));
  expect(
    Object.values(secretsOf)
      .flat()
      .filter((one) => others.includes(one)),
  ).toEqual([]);
});

describe("the check of a case with a secret", () => {
  const always = ["redaction.password", "redaction.preview-import", "redaction.every-cause"];
  const inMessage = [...always, "redaction.message", "redaction.user-interface"];
  const inDetails = [...always, "redaction.details", "redaction.user-interface"];
  const inMetadata = [...always, "redaction.metadata", "redaction.user-interface"];
  const encoded = encodeURIComponent(secret);
  const table: readonly (readonly [where: string, answer: RpcAnswer, broken: string | readonly string[]])[] = [
    ["the message", error({ message: `cannot fetch /${secret}` }), inMessage],
    ["the message as it was sent", error({ metadata: [["grpc-message", encoded]] }), inMessage],
    ["the message, in base64", error({ message: btoa(encoded) }), inMessage],
    ["a detail", error({ details: [{ type: "a.B", value: Buffer.from(`\u0000\u00ff${encoded}\u0001`) }] }), inDetails],
    [
      "the JSON of a detail",
      error({ details: [{ type: "a.B", value: Buffer.of(), debug: `{"a":"${secret}"}` }] }),
      inDetails,
    ],
    ["the type of a detail", error({ details: [{ type: `a/${encoded}`, value: Buffer.of() }] }), inDetails],
    ["metadata", error({ metadata: [["x-url", `u:${encoded}`]] }), inMetadata],
    ["the name of metadata", error({ metadata: [[encoded, ""]] }), inMetadata],
    ["a reply", reply({}, `\u0012${String.fromCharCode(Buffer.from(secret).length)}${secret}`), "redaction.reply"],
    ["a malformed answer", { kind: "malformed", text: secret, metadata: [] }, inMessage],
    ["nowhere", error({ message: "s%C3%BC%C3%9F" }), []],
    ["the error of a host", unreachable, []],
  ];
  it.each(table)("finds it in %s", async (_, answer, broken) => {
    const { broken: found = [] } = await judge(answer);
    expect(found.filter((id) => id.startsWith("redaction.")).sort()).toEqual([broken].flat().sort());
  });

  it("finds it in several places", async () => {
    const answer = error({
      message: secret,
      details: [{ type: secret, value: Buffer.of() }],
      metadata: [
        ["x-url", encoded],
        ["x-request-id", "7"],
        ["via", encoded],
      ],
    });
    expect((await judge(answer)).problems).toEqual([
      "the message of the error shows a secret of the URL",
      "a detail of the error shows a secret of the URL",
      "the header or trailer x-url shows a secret of the URL",
      "the header or trailer via shows a secret of the URL",
    ]);
  });

  it("breaks other rules if the secret is in a log", async () => {
    const found = { findings: [{ line: 3, cases: [leaky] }], searchedBytes: 9, gaps: [] };
    const log = { path: "daemon.log", search: async () => found, untilQuiet: async () => {} };
    expect(await judge(error(), { id: "log file", log })).toMatchObject({
      problems: [`line 3 of the log shows a secret of ${leaky}`],
      broken: expect.arrayContaining([...always, "redaction.logs"]),
    });
  });

  it.each([
    ["an error without it", error(), true, { kind: "passed" }],
    [
      "a reply",
      reply({ compatibleCount: 0, rejectedCount: 0 }),
      true,
      { kind: "passed", shown: ["redaction.reply"], reason: "fetching caused no error" },
    ],
    [
      "an error before any fetch",
      error(),
      false,
      { kind: "skipped", reason: expect.stringContaining("does not fetch") },
    ],
  ])("judges %s", async (_, answer, doesFetch, outcome) => {
    expect(await judge(answer, { doesFetch })).toEqual(outcome);
  });
});
