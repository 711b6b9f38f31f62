import type { MeasuredBehaviour, MeasuredService } from "./measured-service.js";

/** The measurements of both services. */
export interface PageContent {
  readonly chat: MeasuredService;
  readonly daemon: MeasuredService;
}

/** Formats the page `docs/faults.md`. */
export function formatPage({ chat, daemon }: PageContent): string {
  return `# Faults

Written by \`npm run faults\`. Not to be edited.

This page shows which faults each tool catches. Each fault below was injected between the tool and a reference implementation
(\`scripts/faults\`). A variation differs from the reference implementation but keeps the contract, so tools must not report it. \`npm test -- --thorough\`
asserts the columns of \`accord verify\`. With \`--strict\`, \`accord verify\` also reports recommendations that a server does not follow, and
therefore some variations. A question mark means that the tool has not been run on the fault or variation, and \`N of M\` that the tool
reports N of the M on which it has been run.

## Chat

${counted(chat)}

### Method

A tool catches a fault if it reports something that it does not report for the unmodified reference server. To save time, each tool runs
only on the operations that the fault affects.

- **accord verify**: the checks that concern the fault, with provider states.
- **plain Dredd**: \`generated/chat/openapi.dredd.yaml\`, which has a transaction for each case, without hooks and with the API key of a
  member. Most transactions need provider states, which plain Dredd cannot set up, so they fail with or without a fault. To compensate,
  Dredd was also run against the mock, which returns each example of the contract; a report in either run counts.
- **prism proxy**: \`generated/chat/openapi.yaml\` with \`--validate-request false\`. After their states were set up, the cases of the contract
  were sent through the proxy; its findings about responses count. Prism has no expectations beyond the schemas.
- **Respect**: the workflows of \`openapi/behaviour\` that call the operation, with provider states. The workflows are part of this
  package; Respect checks their criteria, statuses and schemas.

${listed(chat)}

## Daemon

The other tools support only HTTP APIs and cannot call the daemon.

${counted(daemon)}

${listed(daemon)}
`;
}

function counted({ tools, faults, variations }: MeasuredService): string {
  const counts = (rows: readonly MeasuredBehaviour[]) =>
    tools.map((tool) => {
      const measured = rows.filter(({ unmeasuredBy = [] }) => !unmeasuredBy.includes(tool));
      const count = measured.filter(({ reportedBy }) => reportedBy.includes(tool)).length;
      return measured.length === rows.length ? `${count}` : `${count} of ${measured.length}`;
    });
  const summary = tableOf(
    ["", ...tools],
    [
      [`Faults caught, of ${faults.length}`, ...counts(faults)],
      [`False alarms, of ${variations.length} variations`, ...counts(variations)],
    ],
  );
  const byFamily = tableOf(
    ["Family", "Faults", ...tools],
    familiesOf(faults).map(({ family, rows }) => [family, `${rows.length}`, ...counts(rows)]),
  );
  return `${summary}\n\nBy family:\n\n${byFamily}`;
}

function listed({ tools, faults, variations }: MeasuredService): string {
  const families = familiesOf(faults).map(
    ({ family, rows }) => `#### ${capitalized(family)}\n\n${rowsOf(rows, tools)}`,
  );
  return `### Faults\n\n${families.join("\n\n")}\n\n### Variations\n\n${rowsOf(variations, tools)}`;
}

function familiesOf(faults: MeasuredService["faults"]) {
  const families = [...new Set(faults.map(({ family }) => family))];
  return families.map((family) => ({ family, rows: faults.filter((row) => row.family === family) }));
}

function rowsOf(rows: readonly MeasuredBehaviour[], tools: readonly string[]): string {
  return tableOf(
    ["A server that", "", ...tools],
    rows.map(({ name, summary, reportedBy, unmeasuredBy = [] }) => [
      summary.replaceAll("|", "\\|"),
      `\`${name}\``,
      ...tools.map((tool) => (unmeasuredBy.includes(tool) ? "?" : reportedBy.includes(tool) ? "yes" : "–")),
    ]),
  );
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
