import type { RpcCases, RpcRule } from "../../../src/contract/rpc/cases.js";
import { namedRules } from "../../../src/contract/rpc/evidence.js";
import { type DaemonRpc, daemonMethods } from "../../../src/daemon/daemon-methods.js";
import { type Html, html } from "../../../src/report/html/html.js";
import type { ShownRule } from "../rule-list.js";

/** The page of the daemon's rules that are not specific to one RPC. */
export const daemonConventionsPage = "daemon/conventions.html";

/** The page of an RPC. */
export function rpcPage(rpc: string): string {
  return `daemon/${rpc.split("/")[1]}.html`;
}

/** The page that shows a rule of the daemon. */
export function pageOfDaemonRule({ rpc }: Pick<RpcRule, "rpc">): string {
  return rpc === undefined ? daemonConventionsPage : rpcPage(rpc);
}

/** Renders rules of the daemon, with links to their cases. */
export function showDaemonRules({ cases }: RpcCases, rules: readonly RpcRule[], root = "../"): ShownRule[] {
  return rules.map((rule) => ({
    ...rule,
    isOfClients: rule.party === "client",
    attributes: html` id="rule-${rule.id}"`,
    checks: cases
      .filter((one) => namedRules(one, [rule]).length > 0)
      .map(
        ({ name, rpc }): Html =>
          html`<a class="check" href="${root}${rpcPage(rpc)}#case-${name}"><span>case</span> ${name}</a>`,
      ),
  }));
}

/** The RPCs in the order of the contract. */
export const rpcs: readonly DaemonRpc[] = daemonMethods.map(({ rpc }) => rpc);
