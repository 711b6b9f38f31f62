import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCaseMessages } from "../../scripts/generate/daemon-case-messages.js";
import { readDaemonCases, writeDaemonCases } from "../../scripts/generate/daemon-cases.js";
import { missingParts } from "../../scripts/generate/daemon-checks.js";

/** Compiled once, because no test changes `proto/`. */
const messages = loadCaseMessages();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daemon-cases-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const valid = `rules:
  - id: select-node.returns-id
    text: SelectNode returns the id that it takes.
    source: Endpoints, rule 3
    shown: {by: value, at: [/id]}
cases:
  - name: select
    summary: A node is selected
    rule: select-node.returns-id
    rpc: ProxySubscriptions/SelectNode
    request: {id: 7, selectedOrdinal: 2}
    reply: {id: 7, selectedOrdinal: 2}
    exact: [/id]
`;

/** Returns the valid file with one change. */
function changed(from: string, to: string): string {
  expect(valid).toContain(from);
  return valid.replace(from, () => to);
}

async function problemsOf(...contents: string[]): Promise<string[]> {
  for (const [index, content] of contents.entries()) writeFileSync(join(folder, `${index + 1}.yaml`), content);
  return (await readDaemonCases(folder, messages)).problems;
}

const calls = (bind: string) =>
  `given: [{id: import, call: ProxySubscriptions/ApplyImport, with: {url: 'https://a.example'}}]\n    bind: ${bind}\n    request`;

describe("a case file", () => {
  it("has no problems if it is valid", async () => {
    expect(await problemsOf(valid)).toEqual([]);
  });

  it("can have the form of the example in proto/README.md", async () => {
    const readme = readFileSync(new URL("../../proto/README.md", import.meta.url), "utf8");
    const example = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1];
    expect(await problemsOf(example ?? "")).toEqual([]);
  });

  it.each<[what: string, file: string, want: string]>([
    ["is not YAML", "rules: [", "proto/cases/1.yaml:1: Flow sequence in block collection must be"],
    [
      "has a key twice",
      changed("rule: select", "name: again\n    rule: select"),
      "proto/cases/1.yaml:9: Map keys must be unique",
    ],
    ["has no cases", "rules: []\n", "proto/cases/1.yaml:1: must have required property 'cases'"],
    [
      "has an unknown key",
      changed("summary:", "sumary: x\n    summary:"),
      "proto/cases/1.yaml:7: case select: has an unknown key sumary",
    ],
    [
      "has a name with capitals",
      changed("name: select", "name: Select"),
      "proto/cases/1.yaml:7: case Select: name must match pattern",
    ],
    [
      "ends a summary with a full stop",
      changed("is selected", "is selected."),
      "1.yaml:8: case select: summary must match pattern",
    ],
    [
      "has neither reply nor error",
      changed("    reply: {id: 7, selectedOrdinal: 2}\n", ""),
      "case select: needs either a reply or an error",
    ],
    [
      "has both reply and error",
      changed("    exact: [/id]", "    error: {code: not_found, message: No}"),
      "case select: needs either a reply or an error",
    ],
    [
      "names an unknown RPC",
      changed("/SelectNode", "/Select"),
      "1.yaml:7: case select: rpc must be one of MeshControlService/LoginCancel, ProxySubscriptions/PreviewImport, ",
    ],
    [
      "has an unknown field in the request",
      changed("request: {id: 7", "request: {number: 7"),
      'case select: request: cannot decode message proxydaemon.v1.ProxySubscriptionSelectRequest from JSON: key "number" is unknown',
    ],
    [
      "has a value of the wrong type",
      changed("request: {id: 7", "request: {id: seven"),
      "case select: request: cannot decode field",
    ],
    [
      "has an unknown field in the reply",
      changed("reply: {id: 7", "reply: {number: 7"),
      "case select: reply: cannot decode message",
    ],
    [
      "fixes a missing field",
      changed("exact: [/id]", "exact: [/node/0]"),
      "case select: exact names /node/0, which is not a field of proxydaemon.v1.ProxySubscriptionSelectResponse",
    ],
    [
      "binds an unknown field",
      changed("request", calls("{number: import.id}")),
      "case select: bind names number, which is not a field of proxydaemon.v1.ProxySubscriptionSelectRequest",
    ],
    [
      "binds to an unknown call",
      changed("request", calls("{id: preview.id}")),
      "case select: bind names preview.id, but no earlier call is named preview",
    ],
    [
      "binds to an unknown field of a reply",
      changed("request", calls("{id: import.number}")),
      "case select: bind names import.number, which is not a field of proxydaemon.v1.ProxySubscriptionApplyResponse",
    ],
    [
      "sends a value that no earlier reply has",
      changed(
        "request",
        "given: [{id: import, call: ProxySubscriptions/ApplyImport, with: {id: $first.id}}]\n    request",
      ),
      "case select: given import: first.id, but no earlier call is named first",
    ],
    [
      "expects a missing field",
      changed("exact: [/id]", "expect: {/node: 1}"),
      "case select: expect names /node, which is not a field of proxydaemon.v1.ProxySubscriptionSelectResponse",
    ],
    [
      "expects a value that no earlier reply has",
      changed("exact: [/id]", "expect: {/id: {not: $first.id}}"),
      "case select: expect names first.id, but no earlier call is named first",
    ],
    [
      "expects a text that matches no regular expression",
      changed("exact: [/id]", "expect: {/id: {matches: '['}}"),
      "case select: expect /id: Invalid regular expression",
    ],
    [
      "names an unknown rule",
      changed("    rpc:", "    also: [select-node.other]\n    rpc:"),
      "1.yaml:7: case select: there is no rule select-node.other",
    ],
    [
      "has a rule that no case names",
      changed("cases:", "  - {id: a.b, text: A, source: Endpoints, shown: {by: reply}}\ncases:"),
      "1.yaml:6: rule a.b: no case names it; add one, or say why in untestable",
    ],
    [
      "has a rule without evidence",
      changed("    shown: {by: value, at: [/id]}\n", ""),
      "1.yaml:2: rule select-node.returns-id: shown is missing: say which answer shows the rule",
    ],
    [
      "names a rule that its example does not show",
      changed("at: [/id]", "at: [/node/*/name]"),
      "1.yaml:2: rule select-node.returns-id: no case that names it has an example that shows it",
    ],
    [
      "has a rule without a source",
      changed("    source: Endpoints, rule 3\n", ""),
      "1.yaml:2: rule select-node.returns-id: must have required property 'source'",
    ],
    [
      "has a rule whose source quotes a sentence",
      changed("Endpoints, rule 3", "SelectNode takes `id` and returns both"),
      "1.yaml:2: rule select-node.returns-id: `source`: `SelectNode takes `id` and returns both` begins with no heading.",
    ],
    [
      "marks a rule with a case as untestable",
      changed("it takes.", "it takes.\n    untestable: No"),
      "1.yaml:2: rule select-node.returns-id: a case names it, so it is not untestable",
    ],
    [
      "is about an RPC that does not exist",
      `rpc: ProxySubscriptions/Select\n${valid}`,
      "1.yaml:1: rpc must be one of MeshControlService/LoginCancel, ProxySubscriptions/PreviewImport",
    ],
    ["has a probe without an RPC", `probes: [reach]\n${valid}`, "1.yaml:1: probes needs the rpc of the file"],
    [
      "probes fetching by an RPC without a URL",
      `rpc: ProxySubscriptions/SelectNode\nprobes: [fetch]\n${valid}`,
      "1.yaml:2: fetch needs an RPC whose request has url, which ProxySubscriptions/SelectNode lacks",
    ],
    [
      "has a rule broken without a service that does not exist",
      changed("at: [/id]}", "at: [/id]}\n    broken: {unimplemented: Subscriptions}"),
      "1.yaml:2: rule select-node.returns-id: broken.unimplemented must be one of MeshControlService, ProxySubscriptions",
    ],
    [
      "has a rule broken by a field of no RPC",
      changed("at: [/id]}", "at: [/id]}\n    broken: {wrong: /id}"),
      "rule select-node.returns-id: broken names /id, so the file needs the rpc whose reply has it",
    ],
    [
      "has a rule broken by a field that does not exist",
      `rpc: ProxySubscriptions/SelectNode\n${changed("at: [/id]}", "at: [/id]}\n    broken: {wrong: /ordinal}")}`,
      "broken names /ordinal, which is not a field of proxydaemon.v1.ProxySubscriptionSelectResponse",
    ],
    [
      "has a secret that is not in the URL",
      changed("    exact: [/id]", "    secrets: [hunter2]"),
      "case select: secrets names hunter2, which is in no URL of the case",
    ],
    [
      "shows a secret in its error",
      `${valid}  - name: redact
    summary: An error shows the token
    rule: select-node.returns-id
    rpc: ProxySubscriptions/PreviewImport
    request: {url: 'https://a.example/hunter2'}
    error: {code: unavailable, message: Cannot fetch hunter2}
    secrets: [hunter2]
`,
      "1.yaml:14: case redact: the error shows the secret hunter2",
    ],
  ])("is rejected if it %s", async (_, file, want) => {
    expect(await problemsOf(file)).toContainEqual(expect.stringContaining(want));
  });

  it("is rejected if it repeats rules, cases or requests of another file", async () => {
    expect(await problemsOf(valid, valid)).toEqual([
      "proto/cases/2.yaml:2: rule select-node.returns-id: another rule has this name",
      "proto/cases/2.yaml:7: case select: another case has this name",
      expect.stringContaining("proto/cases/2.yaml:7: case select: case select of this rpc has the same request"),
    ]);
  });

  it("is rejected if it spells the same request in two ways", async () => {
    const other = valid.replace("name: select", "name: other").replace("request: {id: 7", "request: {id: '7'");
    const [problem] = await problemsOf(valid, other.replace(/rules:\n.*\n.*\n.*\n.*\n/, "rules: []\n"));
    expect(problem).toContain("proto/cases/2.yaml:3: case other: case select of this rpc has the same request");
  });
});

describe("missingParts", () => {
  const rpcs = ["ProxySubscriptions/SelectNode"];
  const problem = (_: unknown, text: string) => text;

  it("reports every check without a rule or an RPC", () => {
    expect(missingParts([{ rules: [], cases: [], problem }], rpcs)).toEqual([
      "proto/cases: exactly one file must have the probe reach",
      "proto/cases: exactly one file must have the probe fetch",
      "proto/cases: exactly one file must have the probe refusal",
      "proto/cases: no rule is broken by a daemon without ProxySubscriptions: add broken.unimplemented to one",
      ...["message", "details", "metadata", "reply", "logs"].map(
        (surface) => `proto/cases: no rule is broken by a secret in ${surface}: add broken.leak to one`,
      ),
      "proto/cases: no rule is broken by a malformed answer: add broken.malformed to one",
      "proto/cases: no rule is shown by the log: add {by: log} to one",
    ]);
  });

  it("reports a probe that two files define", () => {
    const file = { rpc: "ProxySubscriptions/SelectNode", probes: ["reach"], rules: [], cases: [], problem } as const;
    expect(missingParts([file, file], rpcs)).toContain("proto/cases: exactly one file must have the probe reach");
  });
});

describe("writeDaemonCases", () => {
  it("writes every message in canonical ProtoJSON", async () => {
    writeFileSync(
      join(folder, "1.yaml"),
      changed("request: {id: 7, selectedOrdinal: 2}", "request: {selected_ordinal: 2, id: '7'}"),
    );
    writeDaemonCases(await readDaemonCases(folder, messages), join(folder, "out"));
    const { cases } = JSON.parse(readFileSync(join(folder, "out/cases.json"), "utf8"));
    expect(JSON.stringify(cases[0].request)).toBe('{"id":7,"selectedOrdinal":2}');
  });

  it("writes nothing if a file has a problem", async () => {
    writeFileSync(join(folder, "1.yaml"), "rules: []");
    const read = await readDaemonCases(folder, messages);
    expect(() => writeDaemonCases(read, join(folder, "out"))).toThrow("proto/cases/1.yaml:1: ");
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  it("reproduces generated/ from the contract", async () => {
    writeDaemonCases(await readDaemonCases(), folder);
    const written = readFileSync(join(folder, "cases.json"), "utf8");
    expect(written).toBe(readFileSync(new URL("../../generated/daemon/cases.json", import.meta.url), "utf8"));
  });
});
