import { loadExports } from "../../base/load-exports.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import type { TextsBySurface } from "../../judge/rpc/readable-texts.js";

/** What code says of an exchange. */
export interface JudgedByCode {
  readonly broken: readonly { readonly rule: string; readonly problem: string; readonly subject?: string }[];
  /** The rules that the server could have broken here. */
  readonly shown: readonly string[];
}

/** A call that a client made, and its response. */
export interface SeenCall {
  readonly rpc: string;
  /** The values of the secret fields of the request. */
  readonly secrets: readonly string[];
  /** As in `RpcExchange`. */
  readonly status: string;
  readonly texts: TextsBySurface;
}

/** Judges the traffic between clients and a server in code, for what a rule cannot say. */
export interface RpcTrafficJudge {
  /** The rules that it judges. */
  readonly rules: readonly string[];
  /** Creates the judge of some traffic, which gets its calls in order. */
  readonly judge: (contract: RpcContract) => (call: SeenCall) => JudgedByCode;
}

/** Defines a judge of traffic in code. A file in the folder `checks` beside the `cases` of a contract exports it. */
export function defineRpcTrafficJudge(judge: RpcTrafficJudge): RpcTrafficJudge {
  return judge;
}

/** The judges in code of the traffic of a contract. */
export async function trafficJudgesOf({ checks }: Pick<RpcContract, "checks">): Promise<RpcTrafficJudge[]> {
  return (await loadExports(checks)).filter(isJudge);
}

function isJudge(value: unknown): value is RpcTrafficJudge {
  return typeof value === "object" && value !== null && "judge" in value;
}
