import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCaseMessages, readDaemonCases, writeDaemonCases } from "../../scripts/generate/daemon-cases.js";
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

async function problemsOf(...contents: string[]): Promise<readonly string[]> {
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

  it.each<[want: string, file: string]>([
    ["proto/cases/1.yaml:1:9: Flow sequence in block collection must be", "rules: ["],
    ["proto/cases/1.yaml:1: must be array", "cases: all\n"],
    ["case select: needs either a reply or an error", changed("    reply: {id: 7, selectedOrdinal: 2}\n", "")],
    [
      "case select: needs either a reply or an error",
      changed("    exact: [/id]", "    error: {code: not_found, message: No}"),
    ],
    [
      "1.yaml:7: case select: rpc must be one of MeshControlService/LoginCancel, ProxySubscriptions/PreviewImport, ",
      changed("/SelectNode", "/Select"),
    ],
    [
      'case select: request: cannot decode message proxydaemon.v1.ProxySubscriptionSelectRequest from JSON: key "number" is unknown',
      changed("request: {id: 7", "request: {number: 7"),
    ],
    [
      "case select: exact names /node/0, which is not a field of proxydaemon.v1.ProxySubscriptionSelectResponse",
      changed("exact: [/id]", "exact: [/node/0]"),
    ],
    [
      "case select: bind names number, which is not a field of proxydaemon.v1.ProxySubscriptionSelectRequest",
      changed("request", calls("{number: import.id}")),
    ],
    [
      "case select: bind names preview.id, but no earlier call is named preview",
      changed("request", calls("{id: preview.id}")),
    ],
    [
      "case select: bind names import.number, which is not a field of proxydaemon.v1.ProxySubscriptionApplyResponse",
      changed("request", calls("{id: import.number}")),
    ],
    [
      "1.yaml:7: case select: there is no rule select-node.other",
      changed("    rpc:", "    also: [select-node.other]\n    rpc:"),
    ],
    [
      "1.yaml:6: rule a.b: no case names it; add one, or say why in untestable",
      changed("cases:", "  - {id: a.b, text: A, source: Endpoints, shown: {by: reply}}\ncases:"),
    ],
    [
      "1.yaml:2: rule select-node.returns-id: shown is missing: say which answer shows the rule",
      changed("    shown: {by: value, at: [/id]}\n", ""),
    ],
    [
      "1.yaml:2: rule select-node.returns-id: no case that names it has an example that shows it",
      changed("at: [/id]", "at: [/node/*/name]"),
    ],
    [
      "1.yaml:2: rule select-node.returns-id: `source`: `SelectNode takes `id` and returns both` begins with no heading.",
      changed("Endpoints, rule 3", "SelectNode takes `id` and returns both"),
    ],
    [
      "1.yaml:2: rule select-node.returns-id: a case names it, so it is not untestable",
      changed("it takes.", "it takes.\n    untestable: No"),
    ],
    [
      "1.yaml:1: rpc must be one of MeshControlService/LoginCancel, ProxySubscriptions/PreviewImport",
      `rpc: ProxySubscriptions/Select\n${valid}`,
    ],
    ["1.yaml:1: probes needs the rpc of the file", `probes: [reach]\n${valid}`],
    [
      "1.yaml:2: rule select-node.returns-id: broken.unimplemented must be one of MeshControlService, ProxySubscriptions",
      changed("at: [/id]}", "at: [/id]}\n    broken: {unimplemented: Subscriptions}"),
    ],
    [
      "rule select-node.returns-id: broken names /id, so the file needs the rpc whose reply has it",
      changed("at: [/id]}", "at: [/id]}\n    broken: {wrong: /id}"),
    ],
    [
      "broken names /ordinal, which is not a field of proxydaemon.v1.ProxySubscriptionSelectResponse",
      `rpc: ProxySubscriptions/SelectNode\n${changed("at: [/id]}", "at: [/id]}\n    broken: {wrong: /ordinal}")}`,
    ],
  ])("is rejected: %s", async (want, file) => {
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
    expect(missingParts([{ rules: [] }], rpcs)).toEqual([
      "proto/cases: exactly one file must have the probe reach",
      "proto/cases: exactly one file must have the probe fetch",
      "proto/cases: exactly one file must have the probe refusal",
      "proto/cases: no rule is broken by a daemon without ProxySubscriptions: add broken.unimplemented to one",
      "proto/cases: no rule is broken by a malformed answer: add broken.malformed to one",
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
    writeFileSync(join(folder, "1.yaml"), "rules: all");
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
