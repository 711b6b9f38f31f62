import type { JsonObject } from "@bufbuild/protobuf";
import { methodOf, type RpcContract } from "../../contract/rpc/contract.js";
import { isSet } from "../../contract/rpc/messages.js";
import type { CheckResult } from "../../report/model/check-result.js";
import type { CoverageItem } from "../../report/model/coverage.js";
import { pluralize } from "../../text/format-values.js";
import type { CoverageCounter } from "../judge/coverage.js";
import type { ReadCall } from "./read-call.js";
import { callRules } from "./traffic-rules.js";

const titles = { rpcs: "RPCs", fields: "request fields", codes: "error codes", protocols: "protocols" } as const;

/** Lists everything that calls can show: of the codes, those of the cases of the contract. */
export function coverageItems({ methods, cases }: RpcContract): Record<string, Omit<CoverageItem, "count">[]> {
  return {
    [titles.rpcs]: methods.map(({ rpc }) => ({ name: rpc })),
    [titles.fields]: methods.flatMap(({ rpc, method }) =>
      method.input.fields.map(({ jsonName }) => ({ name: jsonName, operation: rpc })),
    ),
    [titles.codes]: methods.flatMap(({ rpc }) => {
      const codes = cases.flatMap((one) => (one.rpc === rpc && one.error !== undefined ? one.error.code : []));
      return [...new Set(codes)].map((name) => ({ name, operation: rpc }));
    }),
    [titles.protocols]: ["grpc", "grpc-web", "connect"].map((name) => ({ name })),
  };
}

/** Counts what an exchange shows. */
export function countCall(call: ReadCall, coverage: CoverageCounter): void {
  const { destination, recorded, form, request, answer } = call;
  coverage.exchange();
  if (recorded.interruption !== undefined) coverage.notJudged(`no whole response: ${recorded.interruption}`);
  if (destination.kind === "outside") return void coverage.notJudged("not a call of the contract's services");
  if (destination.kind === "unknown") return void coverage.notJudged("the contract has no such RPC");
  const { rpc } = destination.method;
  coverage.count(titles.rpcs, rpc);
  if (form !== undefined) coverage.count(titles.protocols, form.protocol);
  if (request?.kind === "unread") coverage.notJudged(`the request: ${request.reason}`);
  if (request?.kind === "message") countFields(rpc, request.json, coverage);
  if (answer?.kind === "unread") coverage.notJudged(`the response: ${answer.reason}`);
  if (answer?.kind === "error") coverage.count(titles.codes, answer.answer.code, rpc);
}

function countFields(rpc: string, request: Readonly<Record<string, unknown>>, coverage: CoverageCounter): void {
  for (const [name, value] of Object.entries(request)) if (isSet(value)) coverage.count(titles.fields, name, rpc);
}

/** Watches for fields that a client never sets although the contract has no successful call without them. */
export interface NeededFields {
  readonly observe: (rpc: string, request: JsonObject) => void;
  /** A check for each such field. */
  readonly checks: (strict: boolean) => CheckResult[];
}

/** Creates a watch. A needed field is one that every case with a reply sets. */
export function createNeededFields(contract: RpcContract): NeededFields {
  const { cases } = contract;
  const needed = new Map<string, readonly string[]>();
  const calls = new Map<string, { total: number; readonly set: Set<string> }>();
  for (const rpc of new Set(cases.map((one) => one.rpc))) {
    const requests = cases.filter((one) => one.rpc === rpc && one.reply !== undefined).map(({ request }) => request);
    const names = methodOf(contract, rpc).input.fields.map(({ jsonName }) => jsonName);
    needed.set(rpc, requests.length === 0 ? [] : names.filter((name) => requests.every((one) => isSet(one[name]))));
  }
  return {
    observe: (rpc, request) => {
      const seen = calls.get(rpc) ?? { total: 0, set: new Set() };
      calls.set(rpc, seen);
      seen.total++;
      for (const [name, value] of Object.entries(request)) if (isSet(value)) seen.set.add(name);
    },
    checks: (strict) =>
      [...calls].flatMap(([rpc, { total, set }]) =>
        (needed.get(rpc) ?? []).filter((name) => !set.has(name)).map((name) => toCheck({ rpc, name, total, strict })),
      ),
  };
}

interface EmptyField {
  readonly rpc: string;
  readonly name: string;
  readonly total: number;
  readonly strict: boolean;
}

function toCheck({ rpc, name, total, strict }: EmptyField): CheckResult {
  const { id } = callRules.emptyField;
  return {
    id: `client ${rpc}: ${id} ${name}`,
    kind: "request",
    operation: rpc,
    summary: "Found in all calls to the RPC.",
    rules: [id],
    outcome: {
      kind: strict ? "failed" : "deviated",
      problems: [`${name} is empty in ${total === 1 ? "the only call" : `all ${pluralize(total, "call")}`}`],
      broken: [id],
      trace: [],
    },
    durationMs: 0,
  };
}
