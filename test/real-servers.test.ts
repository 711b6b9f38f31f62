import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished } from "vitest";
import type { JsonCheck, JsonReport } from "../src/report/model/json-report.js";
import { powerDnsKey, type RealServer, startAlertmanager, startEtcd, startPowerDns } from "./real-servers/servers.js";
import { needing } from "./support/needing.js";
import { runAccordIn } from "./support/run-accord.js";
import { isThorough } from "./support/thorough.js";

interface Subject {
  readonly programs: readonly string[];
  /** In `real-servers/documents`. */
  readonly document: string;
  readonly start: (folder: string) => Promise<RealServer>;
  /** What a user of this server gives. */
  readonly options: readonly string[];
  /** Lines of its contract in accord.yaml. */
  readonly project?: string;
  /** How many operations succeed as documented if the server is disposable, at least. */
  readonly succeeded: number;
  /** The rules that it breaks and the recommendations that it does not follow, by degree. Each was tried by hand, and is true. */
  readonly findings: {
    readonly reads: readonly string[];
    readonly everything: readonly string[];
    readonly sometimes?: RegExp;
  };
}

const undocumented401 = "401 is not documented";
const isUndocumented401 = /^(?:step \S+: )?status: \w+ does not document 401\b/;

/** What etcd's own documentation says of these: they change nothing. Its files say so of none. */
const etcdReads = [
  ...["KV/Range", "Lease/LeaseTimeToLive", "Lease/LeaseLeases", "Cluster/MemberList", "Maintenance/Status"],
  ...["Maintenance/Hash", "Maintenance/HashKV", "Auth/UserGet", "Auth/UserList", "Auth/RoleGet", "Auth/RoleList"],
];

const subjects: Readonly<Record<string, Subject>> = {
  alertmanager: {
    programs: ["prometheus-alertmanager"],
    document: "alertmanager.json",
    start: startAlertmanager,
    options: [],
    succeeded: 9,
    findings: {
      // A flag that is neither true nor false counts as false; 400 and 422 are not among the statuses of silences.
      reads: [
        "getAlerts.request deviating",
        "getAlertGroups.request deviating",
        "getSilence.statuses deviating",
        "getSilences.statuses deviating",
      ],
      everything: [
        "getAlerts.request deviating",
        // Bodies that cannot be read get an object with `code` and `message`, where the document has a text.
        "postAlerts.response broken",
        "postAlerts.statuses deviating",
        "getAlertGroups.request deviating",
        "getSilence.statuses deviating",
        "deleteSilence.statuses deviating",
        "getSilences.statuses deviating",
        "postSilences.response broken",
        "postSilences.statuses deviating",
      ],
      // Of a silence that does not exist: the lists give the id of one that does, if there is one.
      sometimes: /^deleteSilence\.no-server-error /,
    },
  },
  powerdns: {
    programs: ["pdns_server", "pdns-backend-sqlite3"],
    document: "powerdns.yaml",
    start: startPowerDns,
    options: ["--account", powerDnsKey],
    // Of the others, two have no success, three succeed otherwise than documented, and four need a name that no document has.
    succeeded: 27,
    findings: {
      reads: [
        undocumented401,
        "listZones.request deviating",
        // Record sets lack the required `changetype`.
        "listZone.response broken",
        // The zone comes as text, not JSON.
        "axfrExportZone.response broken",
        "getStats.request deviating",
        "searchData.request deviating",
        // Failures come as text, not as the documented error in JSON; so do refusals of unreadable bodies below.
        "searchData.response broken",
        "getCryptokey.response broken",
      ],
      everything: [
        undocumented401,
        "listZones.request deviating",
        "createZone.response broken",
        "listZone.response broken",
        "putZone.response broken",
        "putZone.request deviating",
        "patchZone.response broken",
        "axfrExportZone.response broken",
        // It returns an object, not a text.
        "rectifyZone.response broken",
        "getStats.request deviating",
        "searchData.request deviating",
        "searchData.response broken",
        "createMetadata.response broken",
        "modifyMetadata.response broken",
        "createCryptokey.response broken",
        "getCryptokey.response broken",
        "modifyCryptokey.response broken",
        "modifyCryptokey.request deviating",
        "createTSIGKey.response broken",
        "getTSIGKey.response broken",
        "deleteTSIGKey.response broken",
        // Also 401, in workflows in which something else is wrong, too.
        "createZone.statuses deviating",
        "deleteZone.statuses deviating",
        // It escapes letters beyond ASCII and spaces in names, as zone files do.
        "tsigkeys.created-is-read deviating",
        "createAutoprimary.response broken",
      ],
      // While its database is busy, it answers a removal with a text, not with the documented error.
      sometimes: /^deleteZone\.response /,
    },
  },
  etcd: {
    programs: ["etcd"],
    document: "etcd",
    start: startEtcd,
    options: [],
    succeeded: 29,
    project: `    reads: [${etcdReads.join(", ")}]\n`,
    findings: {
      reads: [],
      everything: [],
      // It does not always answer a change of a member that does not exist.
      sometimes: /^Cluster\/Member(?:Remove|Update|Promote)\.response /,
    },
  },
};

/** Makes a project of the document in a folder of its own, as a user would, and starts the server. */
async function setUp({ document, start, project = "" }: Subject) {
  const folder = mkdtempSync(join(tmpdir(), "accord-real-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = fileURLToPath(new URL(`real-servers/documents/${document}`, import.meta.url));
  cpSync(source, join(folder, document), { recursive: true });
  const { code, stdout } = await runAccordIn(folder, "init", document);
  expect(code).toBe(0);
  const [, name = ""] = /accord verify (\S+) URL/.exec(stdout) ?? [];
  appendFileSync(join(folder, "accord.yaml"), project);
  const server = await start(join(folder, "server"));
  onTestFinished(server.stop);
  const verify = async (...options: readonly string[]) => {
    const file = join(folder, "report.json");
    await runAccordIn(folder, "verify", name, server.address, "--json", file, ...options);
    const report = JSON.parse(readFileSync(file, "utf8")) as JsonReport;
    // Which random requests find something also depends on what earlier ones created.
    const checks = report.checks.filter(({ id }) => !id.includes("/random-"));
    // One finding of the report, whatever the number of operations.
    const isOf401 = ({ problems = [] }: JsonCheck) =>
      problems.length > 0 && problems.every((one) => isUndocumented401.test(one));
    const found = checks.filter((check) => !isOf401(check)).flatMap(({ broken = [] }) => broken);
    const ofRules = report.rules.flatMap(({ id, state }) => (found.includes(id) ? `${id} ${state}` : []));
    const findings = [...ofRules, ...(checks.some(isOf401) ? [undocumented401] : [])].sort();
    return { findings, succeeded: report.operations?.filter(({ succeeded }) => succeeded).length };
  };
  return { server, verify };
}

describe.runIf(isThorough)("a server that other people wrote", () => {
  for (const [name, subject] of Object.entries(subjects)) {
    const { it } = needing(...subject.programs);

    it(`is as before after a run of the default degree, and each finding is true: ${name}`, async () => {
      const { server, verify } = await setUp(subject);
      const before = await server.dump();
      const { findings } = await verify(...subject.options);
      expect(await server.dump()).toBe(before);
      expect(findings).toEqual([...subject.findings.reads].sort());
    });

    it(`is verified in full if it is disposable: ${name}`, async () => {
      const { verify } = await setUp(subject);
      const { everything, sometimes } = subject.findings;
      const { findings, succeeded } = await verify(...subject.options, "--disposable");
      expect(findings.filter((found) => sometimes?.test(found) !== true)).toEqual([...everything].sort());
      expect(succeeded).toBeGreaterThanOrEqual(subject.succeeded);
    });
  }
});
