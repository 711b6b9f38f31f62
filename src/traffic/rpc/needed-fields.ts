import type { JsonObject } from "@bufbuild/protobuf";
import { methodOf, type RpcContract } from "../../contract/rpc/contract.js";
import { isSet } from "../../contract/rpc/messages.js";
import { pluralize } from "../../text/format-values.js";
import type { CheckResult } from "../../verify/model/check-result.js";
import { callRules } from "./traffic-rules.js";

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
