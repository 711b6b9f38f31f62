import type { RpcCase } from "../../contract/rpc/cases.js";
import { methodOf } from "../../contract/rpc/contract.js";
import type { EvidenceContract } from "../../contract/rpc/evidence.js";
import { judgeClaims } from "../run/judge-claims.js";
import type { Answer, Problem } from "./answer.js";
import { replyClaims } from "./case-claims.js";
import { exchangeOf } from "./exchange-of.js";

type Reply = Extract<Answer, { readonly kind: "reply" }>;

/** Finds what rules forbid in a reply, whatever the request. */
export function contradictionsIn(one: RpcCase, reply: Reply, contract: EvidenceContract): Problem[] {
  const scope = () => undefined;
  const exchange = exchangeOf({ rpc: one.rpc, method: methodOf(contract, one.rpc) }, reply);
  const { broken } = judgeClaims(replyClaims(one, contract), exchange, scope, (text) => text);
  return broken.map(({ claim, problem }) => ({ rules: claim.rules, text: problem }));
}
