import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDerivedCases } from "../../src/behaviour/derived-rpc/add-derived-cases.js";
import { writeWorkflows } from "../../src/behaviour/workflow-files.js";
import type { RpcContract } from "../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../src/contract/rpc/load-rpc-contract.js";
import { findRpcResources } from "../../src/contract/rpc/resources/find-rpc-resources.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { type VerifyRpcOptions, verifyRpc } from "../../src/verify/rpc/verify-rpc.js";
import { sampleOf } from "../support/thorough.js";
import { type LibraryFault, libraryFaults } from "./library/faults.js";
import { startLibrary } from "./library/server.js";
import {
  notesFiles,
  type RpcNotesFault,
  type RpcNotesVariant,
  rpcNotesFaults,
  rpcNotesVariants,
  startRpcNotes,
} from "./notes/rpc-server.js";

let folder: string;
let notes: RpcContract;
let library: RpcContract;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "accord-derived-"));
  for (const [path, text] of Object.entries(notesFiles)) {
    mkdirSync(dirname(join(folder, "notes", path)), { recursive: true });
    writeFileSync(join(folder, "notes", path), text);
  }
  cpSync(fileURLToPath(new URL("library/proto/library", import.meta.url)), join(folder, "library/library"), {
    recursive: true,
  });
  notes = await loadRpcContract({ name: "notes", proto: join(folder, "notes"), reads: ["GetNote", "ListNotes"] });
  library = await loadRpcContract({
    name: "library",
    proto: join(folder, "library"),
    reads: ["GetBook", "SearchBooks"],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const accounts = { account: createSecret("ada"), other: createSecret("bob") };

async function verify(
  how?: RpcNotesFault | RpcNotesVariant,
  options: Partial<VerifyRpcOptions> = {},
): Promise<{ readonly report: JsonReport; readonly left: number; readonly calls: number }> {
  const { url, left, calls, close } = await startRpcNotes(notes, how);
  try {
    const given = { address: url, ...accounts, degree: "everything", depth: "thorough", ...options } as const;
    return { report: toJsonReport(await verifyRpc(withDerivedCases(notes), given)), left: left(), calls: calls() };
  } finally {
    await close();
  }
}

const unkept = ({ rules }: JsonReport) =>
  rules.filter(({ state }) => state === "broken" || state === "deviating").map(({ id }) => id);

describe("workflows that follow from Protobuf files", () => {
  it("are kept by a server that keeps the files, which is then as before", async () => {
    const { report, left } = await verify();
    expect(report.checks.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    const kept = report.rules.flatMap(({ id, state }) => (state === "kept" ? id : []));
    expect(kept).toEqual(expect.arrayContaining([...new Set(Object.values(rpcNotesFaults))]));
    expect((report.operations ?? []).filter(({ succeeded }) => !succeeded)).toEqual([]);
    expect(left).toBe(0);
  });

  it.each(rpcNotesVariants)("blame no server for what the files leave open: %s", async (variant) => {
    expect(unkept((await verify(variant)).report)).toEqual([]);
  });

  it.each(Object.entries(rpcNotesFaults))("notice a server that does wrong: %s", async (fault, rule) => {
    expect(unkept((await verify(fault as RpcNotesFault, { only: ["workflow "] })).report)).toContain(rule);
  });

  it("call only reads unless the server is disposable", async () => {
    const { report, left } = await verify(undefined, { degree: "reads" });
    const sent = report.checks.filter(({ verdict }) => verdict === "passed").map(({ operation }) => operation);
    expect(sent.filter((rpc) => !["Notes/GetNote", "Notes/ListNotes"].includes(rpc))).toEqual([]);
    expect(left).toBe(0);
  });

  it("are as many as the depth says, which is told before", async () => {
    const plans = await Promise.all(
      (["quick", "normal", "thorough"] as const).map(async (depth) => {
        let requests = 0;
        const { calls } = await verify(undefined, {
          depth,
          only: ["workflow "],
          onDerived: (plan) => {
            requests = plan.requests;
          },
        });
        return { requests, isWithin: calls <= requests + 10 };
      }),
    );
    const counts = plans.map(({ requests }) => requests);
    expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other));
    expect(plans.every(({ isWithin }) => isWithin)).toBe(true);
  });

  it("are printed as cases that load to those that run, and are then the user's", async () => {
    const derived = withDerivedCases(notes);
    const own = join(folder, "own");
    cpSync(join(folder, "notes"), own, { recursive: true });
    const project = { kind: "rpc", name: "notes", proto: own, reads: ["GetNote", "ListNotes"] } as const;
    await writeWorkflows(project);
    const written = await loadRpcContract(project);
    const workflows = derived.cases.filter(
      (one) => one.derived?.kind === "workflow" && !one.rule.includes("refuses-invalid"),
    );
    expect(written.cases.map(({ name }) => name)).toEqual(expect.arrayContaining(workflows.map(({ name }) => name)));
    expect(withDerivedCases(written).cases.filter((one) => one.rule.startsWith("notes.") && one.derived)).toEqual([]);
    const { url, close } = await startRpcNotes(written);
    const report = toJsonReport(await verifyRpc(written, { address: url, ...accounts, degree: "everything" })).rules;
    await close();
    expect(report.filter(({ id, state }) => id.startsWith("notes.") && state !== "kept")).toEqual([]);
  });
});

/** The mistakes of the library that only a rule shows. */
const notShown: readonly LibraryFault[] = [
  ...(["get-unknown-as-empty", "add-title-renumbered", "search-without-total", "borrow-whole-seconds"] as const),
  ...(["borrow-at-once", "borrow-without-book", "return-whole-days", "return-in-euros", "return-early"] as const),
];

it.each(sampleOf(Object.keys(libraryFaults) as LibraryFault[], 5))(
  "notices in the library what its files tell: %s",
  async (fault) => {
    const server = await startLibrary(fault);
    const given = { address: server.url, degree: "everything" } as const;
    const report = toJsonReport(await verifyRpc(withDerivedCases(library), given));
    await server.close();
    const lacks = (report.operations ?? []).some(({ presence }) => presence === "not-implemented");
    expect(unkept(report).length > 0 || lacks).toBe(!notShown.includes(fault));
  },
);

it("finds the resources of etcd, whose files name them in ways of their own", async () => {
  const proto = fileURLToPath(new URL("../real-servers/documents/etcd", import.meta.url));
  const { methods } = await loadRpcContract({ name: "etcd", proto });
  const found = findRpcResources(methods).map(({ name, create, list, read, remove, update }) => [
    name,
    [create?.identity.at.join("."), ...[list, read, update, remove].map((one) => one?.rpc.split("/")[1])].join(" "),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    kvs: "key Range   DeleteRange",
    leases: "ID LeaseLeases   LeaseRevoke",
    members: "member.ID MemberList  MemberUpdate MemberRemove",
    users: "name UserList UserGet  UserDelete",
    roles: "name RoleList RoleGet  RoleDelete",
  });
});

it("makes up the entries of lists and maps, in which no earlier value can be", async () => {
  const proto = join(folder, "channels");
  mkdirSync(proto);
  writeFileSync(
    join(proto, "channels.proto"),
    `syntax = "proto3";
package channels.v1;
service Channels {
  rpc ListChannels(ListChannelsRequest) returns (ListChannelsResponse);
  rpc GetChannel(GetChannelRequest) returns (Channel);
  rpc FindRoute(FindRouteRequest) returns (Channel);
}
message Channel { uint64 channel_id = 1; }
message ListChannelsRequest {}
message ListChannelsResponse { repeated Channel channels = 1; }
message GetChannelRequest { uint64 channel_id = 1; }
message FindRouteRequest { repeated Channel avoid = 1; map<string, Channel> known = 2; Channel last = 3; }
`,
  );
  const { cases } = withDerivedCases(await loadRpcContract({ name: "channels", proto }));
  const { request, bind } = cases.find(({ name }) => name === "Channels/FindRoute/every-field") ?? {};
  expect(bind).toEqual({ "last.channelId": expect.stringMatching(/^channel/) });
  expect(JSON.stringify(request)).not.toContain("$");
});
