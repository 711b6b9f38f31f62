import { type ClientRule, isClientRule } from "../../src/contract/rest/client-rules.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { listOperations } from "../../src/contract/rest/operations.js";
import type { RpcRule } from "../../src/contract/rpc/cases.js";
import { strains } from "../../src/traffic/rest/provoke/strains.js";
import { table } from "./markdown-table.js";

/** The page `generated/guides/client-rules.md`: what clients of both services must and should do. */
export function clientRulesPage(document: ContractDocument, daemonRules: readonly RpcRule[]): string {
  const holders = [
    { heading: "All operations", rules: document["x-rules"] ?? [] },
    ...listOperations(document).map(({ path, method, operation }) => ({
      heading: `${operation.summary}: \`${method.toUpperCase()} ${path}\``,
      rules: operation["x-rules"] ?? [],
    })),
  ];
  const sections = holders.flatMap(({ heading, rules }) => {
    const own = rules.filter(isClientRule);
    return own.length === 0 ? [] : [`## ${heading}\n\n${table(columns, own.map(rowOf))}`];
  });
  const ofDaemon = daemonRules.filter(({ party }) => party === "client");
  const daemon =
    ofDaemon.length === 0
      ? ""
      : `\n## Daemon\n\n${table(
          columns,
          ofDaemon.map(({ id, text, source = "", strength = "must", untestable = "" }) => [
            `${text} (\`${id}\`)`,
            strength,
            `Nothing: ${untestable}`,
            source,
          ]),
        )}`;
  return `<!-- Written by \`npm run generate\` from the rules of the contracts. Not to be edited. -->

# Rules for clients

This page lists what clients must and should do, besides sending requests that the contract describes. The requirements state each *must*.
A *should* is a recommendation where they are silent; [open-questions.md](open-questions.md) names the point that it decides.
[\`accord proxy\` and \`accord check\`](../../docs/clients.md) judge the traffic of a client by these rules.

*Traffic*: the requests of the client, alone or after certain responses, show whether it keeps the rule. A *strain*
([\`--strain\`](../../docs/clients.md#strain)) changes responses in ways that a conforming server may choose:

${table(
  ["Strain", "Change"],
  Object.entries(strains).map(([name, change]) => [`\`${name}\``, change]),
)}
[feature-levels.md](feature-levels.md) lists the deprecations whose level is known.

${sections.join("\n")}${daemon}`;
}

const columns = ["Rule", "Strength", "Shown by", "Where in the requirements"];

function rowOf({
  id,
  text,
  strength = "must",
  since,
  until,
  seen,
  strain,
  untestable,
  source = "",
}: ClientRule): string[] {
  const levels = [
    ...(since === undefined ? [] : [`from level ${since}`]),
    ...(until === undefined ? [] : [`until level ${until}`]),
  ].join(", ");
  const evidence = [
    ...(seen === undefined ? [] : ["traffic"]),
    ...(strain === undefined ? [] : [`the strain \`${strain}\``]),
    ...(untestable === undefined ? [] : [`nothing: ${untestable}`]),
  ].join(", ");
  return [
    `${text} (\`${id}\`)${levels === "" ? "" : ` ${levels}`}`,
    strength,
    `${evidence.charAt(0).toUpperCase()}${evidence.slice(1)}`,
    source,
  ];
}
