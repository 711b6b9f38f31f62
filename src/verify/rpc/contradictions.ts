import type { DaemonCase, DaemonRule } from "../../contract/rpc/cases.js";
import { judgeClaims } from "../run/judge-claims.js";
import type { Answer, Problem } from "./answer.js";
import { replyClaims } from "./case-claims.js";
import { exchangeOf } from "./exchange-of.js";

type Reply = Extract<Answer, { readonly kind: "reply" }>;

/** Finds what rules forbid in a reply, whatever the request. */
export function contradictionsIn(one: DaemonCase, reply: Reply, rules: readonly DaemonRule[]): Problem[] {
  const scope = () => undefined;
  const { broken } = judgeClaims(replyClaims(one, rules), exchangeOf(one.rpc, reply), scope, (text) => text);
  return broken.map(({ claim, problem }) => ({ rules: claim.rules, text: problem }));
}
