import type { MeasuredBehaviour, MeasuredService } from "./measured-service.js";

/** What was measured of both services. */
export interface PageContent {
  readonly chat: MeasuredService;
  readonly daemon: MeasuredService;
}

/** The page `docs/faults.md`. */
export function formatPage({ chat, daemon }: PageContent): string {
  return `# Faults

Written by \`npm run faults\`. Not to be edited.

Does a verification bite? Each fault below was switched on between the verifier and a reference implementation (\`test/faults\`), and each
tool was run. A variation does something else than the reference and keeps the contract all the same, so that nothing may be reported.
\`npm test\` asserts the columns of \`accord verify\`.

## Chat

${counted(chat)}

### How it was made

A tool has caught a fault when it reports something that it does not report of the reference server as it is. To take no longer than needed,
each tool is confined to the operations that a fault is about.

- **accord verify**: the checks that concern the fault, with provider states.
- **plain Dredd**: \`generated/chat/openapi.dredd.yaml\`, which has a transaction for each case, without hooks and with the key of a member.
  Most of its transactions need states that nobody sets up, so they fail with or without a fault; so that it is not judged by that
  alone, it was run a second time before the mock, which answers each example as the contract has it, and either counts.
- **prism proxy**: \`generated/chat/openapi.yaml\` with \`--validate-request false\`; the cases of the contract were sent through it after
  their states were set up, and what it says about responses counts. It has no expectations of its own beyond the schemas.
- **Respect**: the workflows of \`openapi/behaviour\` that call the operation, with provider states. The workflows are part of this
  package; alone, Respect checks what they say, statuses and schemas.

${listed(chat)}

## Daemon

The other tools know HTTP APIs alone: none of them can call the daemon.

${counted(daemon)}

${listed(daemon)}
`;
}

function counted({ tools, faults, variations }: MeasuredService): string {
  const counts = (rows: readonly MeasuredBehaviour[]) =>
    tools.map((tool) => `${rows.filter(({ reportedBy }) => reportedBy.includes(tool)).length}`);
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
    rows.map(({ name, summary, reportedBy }) => [
      summary.replaceAll("|", "\\|"),
      `\`${name}\``,
      ...tools.map((tool) => (reportedBy.includes(tool) ? "yes" : "–")),
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
