import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { expectationsOf } from "../../../src/contract/rpc/case-expectations.js";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { fullMessage } from "../../../src/contract/rpc/messages.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { methodOf } from "../../../src/daemon/daemon-methods.js";
import { judgeExpectations } from "../../../src/judge/judge-expectations.js";
import type { RpcAnswer } from "../../../src/judge/rpc/answer.js";
import { exchangeOf } from "../../../src/judge/rpc/exchange-of.js";

const contract = await loadDaemonContract();
const { cases, rules } = contract;

function named(name: string): RpcCase {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}`);
  return found;
}

const select = named("select-second-node");

const reply = (json: JsonObject, bytes = ""): RpcAnswer => ({
  kind: "reply",
  reply: json,
  bytes: Buffer.from(bytes),
  metadata: [],
});
const error = (part: Partial<Extract<RpcAnswer, { kind: "error" }>> = {}): RpcAnswer => ({
  kind: "error",
  code: "unavailable",
  message: "",
  details: [],
  metadata: [],
  ...part,
});
const malformed: RpcAnswer = { kind: "malformed", text: "HTTP 502", metadata: [] };
const timeout: RpcAnswer = { kind: "timeout", afterMs: 100 };
const unreachable: RpcAnswer = { kind: "unreachable", text: "connect ECONNREFUSED", help: "Start it" };

function unmetBy(one: RpcCase, answer: RpcAnswer) {
  // Earlier replies hold the values of the example, and the host got one request.
  const scope = ([head = "", ...rest]: readonly string[]) => {
    if (head === "host") return { count: 1, requests: [] }[rest.join(".")];
    const [field = ""] = Object.entries(one.bind ?? {}).find(([, at]) => at === [head, ...rest].join(".")) ?? [];
    return one.request[field] ?? 0;
  };
  const full =
    answer.kind === "reply"
      ? { ...answer, reply: { ...fullMessage(methodOf(one.rpc).output, {}), ...answer.reply } }
      : answer;
  return judgeExpectations(
    expectationsOf(one, contract),
    exchangeOf({ rpc: one.rpc, method: methodOf(one.rpc) }, full),
    scope,
    (text) => text,
  ).unmet;
}

function brokenBy(one: RpcCase, answer: RpcAnswer): string[] {
  return unmetBy(one, answer).flatMap(({ expectation }) => expectation.rules ?? []);
}

describe("the expectations of a case", () => {
  const selectRules = [
    "select-node.returns-selected-ordinal",
    "select-node.takes-id",
    "select-node.takes-selected-ordinal",
    "select-node.returns-id",
  ];
  /** Requires a reply. Cases of these calls do not, because the contract does not guarantee that any of them succeeds. */
  const { open: _, ...required } = select;
  const recommended = named("select-ordinal-of-preview");
  const unknownNode = ["select-node.unknown-node"];
  const table: readonly (readonly [what: string, one: RpcCase, answer: RpcAnswer, broken: readonly string[]])[] = [
    ["the expected reply", select, reply({ id: 7, selectedOrdinal: 2 }), []],
    ["another id", select, reply({ id: 8, selectedOrdinal: 2 }), ["select-node.returns-id"]],
    ["another ordinal", select, reply({ id: 7, selectedOrdinal: 0 }), ["select-node.returns-selected-ordinal"]],
    ["an omitted default", named("select-nothing"), reply({ id: 7, selectedOrdinal: 0 }), []],
    ["an error where a reply is required", required, error({ code: "internal" }), selectRules],
    ["a timeout where a reply is required", required, timeout, []],
    ["an error where a reply is recommended", recommended, error(), ["select-node.preview-ordinals"]],
    ["a timeout where a reply is recommended", recommended, timeout, []],
    [
      "an RPC that is missing",
      required,
      error({ code: "unimplemented" }),
      ["service.proxy-subscriptions", "service.unary", ...selectRules],
    ],
    ["an error of an open case", named("select-same-node"), error(), []],
    [
      "another id in an open case",
      named("select-same-node"),
      reply({ id: 9, selectedOrdinal: 1 }),
      ["select-node.returns-id"],
    ],
    ["an error in login-cancel", named("login-cancel"), error({ code: "failed_precondition" }), []],
    [
      "an RPC that is missing, in an open case",
      named("login-cancel"),
      error({ code: "unimplemented" }),
      ["service.mesh-control", "service.unary"],
    ],
    [
      "an RPC that is missing, in a case with an error",
      named("select-unknown-network"),
      error({ code: "unimplemented" }),
      ["service.proxy-subscriptions", "select-node.unknown-network"],
    ],
    [
      "unimplemented for a URL",
      named("apply-unknown-network"),
      error({ code: "unimplemented" }),
      ["apply-import.unknown-network"],
    ],
    [
      "unimplemented where no rule says that the RPC is there",
      named("preview-clash"),
      error({ code: "unimplemented" }),
      [],
    ],
    ["no selection after an import", named("apply-new-network"), reply({ id: 7 }), ["apply-import.selects"]],
    ["no id after an update", named("apply-to-existing-network"), reply({}), ["apply-import.replaces"]],
    ["a list that is longer than its count", named("preview-mixed-list"), reply({ node: [{}], rejected: [{}] }), []],
    ["a count beside an empty list", named("preview-all-rejected"), reply({ rejectedCount: 2 }), []],
    ["other nodes and counts", named("preview-trojan-list"), reply({ compatibleCount: 1, node: [{}] }), []],
    ["an error other than recommended", named("select-unknown-node"), error({ code: "data_loss" }), unknownNode],
    ["the recommended error", named("select-unknown-node"), error({ code: "not_found" }), []],
    [
      "a reply in the place of an error",
      named("select-unknown-node"),
      reply({ id: 1, selectedOrdinal: 1 }),
      unknownNode,
    ],
    ["an error in the place of a reply", named("select-nothing"), error(), ["select-node.clears"]],
    [
      "other ordinals and fewer nodes than recommended",
      named("preview-base64-links"),
      reply({ detectedFormat: "base64-uri-list", compatibleCount: 2, node: [{ ordinal: 0 }] }),
      [
        "preview-import.ordinals",
        ...["preview-import.node-fields", "preview-import.node-fields"],
        ...["preview-import.node-fields", "preview-import.protocols", "preview-import.runtime-warnings"],
        ...["preview-import.runtime-warnings", "preview-import.counts"],
      ],
    ],
    ["no answer in time to a case with an error", named("select-unknown-node"), timeout, []],
    ["no answer in time to a case that the contract leaves open", select, timeout, []],
    ["an unreachable daemon", select, unreachable, []],
    ...["select-second-node", "login-cancel", "select-unknown-node", "redact-password"].map(
      (name) => [`no RPC answer to ${name}`, named(name), malformed, ["service.unary", "wire.proto3"]] as const,
    ),
  ];
  it.each(table)("judges %s", async (_, one, answer, broken) => {
    expect(brokenBy(one, answer)).toEqual(broken);
  });

  it("describes each problem in a sentence", async () => {
    expect(unmetBy(select, reply({ id: 8, selectedOrdinal: 2 }))).toMatchObject([
      { problems: ["/id: expected 7, got 8"] },
    ]);
    expect(unmetBy(named("select-ordinal-of-preview"), error({ code: "not_found", message: "none" }))).toMatchObject([
      { problems: ['status: expected "ok", got "not_found" with {"code":"not_found","message":"none"}'] },
    ]);
  });
});

describe("the rules that answers break", () => {
  it("are rules of the contract", async () => {
    const known = new Set(rules.map(({ id }) => id));
    const answers = [malformed, timeout, error({ code: "unimplemented" }), reply({ id: -1 })];
    for (const one of cases) {
      for (const answer of answers) for (const id of brokenBy(one, answer)) expect(known).toContain(id);
    }
  });
});
