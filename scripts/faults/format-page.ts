import type { AllFaultTables, FaultRow, FaultTables } from "../../site/pages/tools/fault-tables.js";

/** Formats the page `docs/faults.md`: how many faults each tool catches, in total and by family, and how that was measured. */
export function formatPage({ chat, daemon }: AllFaultTables): string {
  return `# Faults

Written by \`npm run faults\`. Not to be edited.

This page shows how many faults each tool catches. Each fault was injected between the tool and a reference implementation
(\`scripts/faults\`). A variation differs from the reference implementation but keeps the contract, so tools must not report it.
\`npm test -- --thorough\` asserts the verdicts of \`accord verify\`. With \`--strict\`, \`accord verify\` also reports recommendations that a
server does not follow, and therefore some variations. \`N of M\` means that the tool reports N of the M on which it has been run.

The documentation site (\`npx --no-install accord docs\`) lists each fault and variation with the verdicts of the tools, from
[\`scripts/faults/verdicts.json\`](../scripts/faults/verdicts.json).

## Chat

${counted(chat)}

## Daemon

The other tools support only HTTP APIs and cannot call the daemon.

${counted(daemon)}

## Method

A tool catches a fault if it reports something that it does not report for the unmodified reference server. To save time, each tool runs
only on the operations that the fault affects.

- **accord verify**: the checks that concern the fault, with provider states.
- **plain Dredd**: \`accord spec chat --profile dredd\`, which has a transaction for each case, without hooks and with the API key of a
  member. Most transactions need provider states, which plain Dredd cannot set up, so they fail with or without a fault. To compensate,
  Dredd was also run against the mock, which returns each example of the contract; a report in either run counts.
- **prism proxy**: \`generated/chat/openapi.yaml\` with \`--validate-request false\`. After their states were set up, the cases of the contract
  were sent through the proxy; its findings about responses count. Prism has no expectations beyond the schemas.
- **Respect**: \`accord spec chat --profile arazzo\`, of which the workflows that call the operation, with provider states. Respect checks
  their criteria, statuses and schemas.
`;
}

function counted({ tools, faults, variations }: FaultTables): string {
  const counts = (rows: readonly FaultRow[]) =>
    tools.map((_, index) => {
      const measured = rows.map(({ verdicts }) => verdicts[index]).filter((verdict) => verdict !== "unmeasured");
      const count = measured.filter((verdict) => verdict === "reported").length;
      return measured.length === rows.length ? `${count}` : `${count} of ${measured.length}`;
    });
  const summary = tableOf(
    ["", ...tools],
    [
      [`Faults caught, of ${faults.length}`, ...counts(faults)],
      [`False alarms, of ${variations.length} variations`, ...counts(variations)],
    ],
  );
  const families = [...new Set(faults.map(({ family = "" }) => family))];
  const byFamily = families.map((family) => {
    const rows = faults.filter((row) => row.family === family);
    return [family, `${rows.length}`, ...counts(rows)];
  });
  return `${summary}\n\nBy family:\n\n${tableOf(["Family", "Faults", ...tools], byFamily)}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
