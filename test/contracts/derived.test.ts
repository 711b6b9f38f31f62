import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import { workflowFiles } from "../../src/behaviour/workflow-files.js";
import { loadOpenApi } from "../../src/contract/rest/load-openapi.js";
import { findResources } from "../../src/contract/rest/resources/find-resources.js";
import { memberFor } from "../../src/contract/rest/resources/names.js";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { type VerifyRestOptions, verifyRest } from "../../src/verify/rest/verify-rest.js";
import { loadDocument } from "./bare-contract.js";
import { notesDocument } from "./notes/document.js";
import { type NotesFault, type NotesVariant, notesFaults, notesVariants, startNotes } from "./notes/server.js";

const accounts = { caller: { secret: createSecret("ada") }, other: { secret: createSecret("bob") } };

/** Runs the derived workflows on a server of the notes. */
async function verify(
  how: NotesVariant | NotesFault | undefined,
  options: Partial<VerifyRestOptions> = {},
): Promise<{ readonly report: JsonReport; readonly left: number; readonly requests: readonly string[] }> {
  const document = notesDocument({
    isEnveloped: how === "envelope",
    ...(how === "ids as texts" ? { idType: "string" } : {}),
  });
  const contract = await loadDocument("notes", document, true);
  const { url, left, requests, close } = await startNotes(how);
  try {
    const only = ["workflow "];
    const report = await verifyRest(contract, {
      url,
      accounts,
      degree: "everything",
      depth: "thorough",
      seed: 1,
      only,
      ...options,
    });
    return { report: toJsonReport(report), left: left(), requests };
  } finally {
    await close();
  }
}

const unkept = ({ rules }: JsonReport) =>
  rules.filter(({ state }) => state === "broken" || state === "deviating").map(({ id }) => id);

const shared = ["notes.not-for-others", "comments.not-for-others"];

describe("workflows that follow from a document", () => {
  it("are kept by a server that keeps the document, which is then as before", async () => {
    const { report, left } = await verify(undefined);
    expect(report.checks.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect(
      report.rules.filter(({ id, state }) => Object.values<string>(notesFaults).includes(id) && state !== "kept"),
    ).toEqual([]);
    expect(left).toBe(0);
  });

  it.each(notesVariants)("blame no server for what the document leaves open: %s", async (variant) => {
    // Whether things are shared is all that a second account can tell.
    expect(unkept((await verify(variant)).report)).toEqual(variant === "shared" ? shared : []);
  });

  it.each(Object.entries(notesFaults) as [NotesFault, string][])(
    "notice a server that does wrong: %s",
    async (fault, rule) => {
      expect(unkept((await verify(fault)).report)).toEqual(fault === "others read" ? shared : [rule]);
    },
  );
});

it("prints workflows that load to those that run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "accord-derived-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const project = { kind: "rest", name: "notes", openapi: join(folder, "openapi.json"), conventions: {} } as const;
  writeFileSync(project.openapi, JSON.stringify(notesDocument()));
  const derived = await loadRestContract(project, { isDerived: true });
  const files = await workflowFiles(project);
  mkdirSync(join(folder, "behaviour"));
  for (const [name, text] of files) writeFileSync(join(folder, "behaviour", name), text);
  const written = await loadRestContract(project);
  const steps = ({ workflows }: RestContract) =>
    workflows
      .map(({ source: _, derived: __, ...workflow }) => workflow)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  expect([...files.keys()]).toEqual(["notes.yaml", "comments.yaml"]);
  expect(steps(written)).toEqual(steps(derived));
  // They belong to whoever wrote them: they are not derived again.
  expect((await loadRestContract(project, { isDerived: true })).workflows).toEqual(written.workflows);
});

it.each<[string, Record<string, string>]>([
  ["museum/openapi.yaml", { exhibits: "create list read replace change remove: body /id", tickets: "create: nowhere" }],
  ["parcels/openapi.yaml", { parcels: "create list read remove: body ", recipient: "create: nowhere" }],
  [
    "../real-servers/documents/alertmanager.json",
    { silences: "create list read remove: body /silenceID", alerts: "create: nowhere" },
  ],
  [
    "../real-servers/documents/powerdns.yaml",
    {
      ...{ servers: "list read: nowhere", config: "list read: nowhere", autoprimaries: "create: nowhere" },
      ...{
        zones: "create list read replace change remove: body /id",
        tsigkeys: "create list read replace remove: body /id",
      },
      ...{
        metadata: "create list read replace remove: sent kind",
        cryptokeys: "create list read replace remove: body /id",
      },
    },
  ],
])("finds resources, and where their identity is: %s", async (file, resources) => {
  const document = await loadOpenApi(fileURLToPath(new URL(file, import.meta.url)));
  const operations = ["create", "list", "read", "replace", "change", "remove"] as const;
  const found = findResources(document).map((resource) => {
    const { identity } = resource.create ?? {};
    const where = identity === undefined ? "nowhere" : Object.values(identity).join(" ");
    return [resource.name, `${operations.filter((one) => one in resource).join(" ")}: ${where}`];
  });
  expect(Object.fromEntries(found)).toEqual(resources);
});

it.each<[string, string, string[], string | undefined]>([
  ["petId", "pets", ["id", "name"], "id"],
  ["pet_id", "pets", ["id", "pet_id"], "pet_id"],
  ["gpg_key_id", "gpg_keys", ["id", "key_id"], "id"],
  ["metadata_kind", "metadata", ["kind", "metadata"], "kind"],
  ["zone", "zones", ["name", "kind"], "name"],
  ["id", "orders", ["orderId", "total"], "orderId"],
  ["number", "parcels", ["weight"], undefined],
])("finds which member a parameter names: %s of %s in %j", (parameter, noun, members, member) => {
  expect(memberFor(parameter, noun, members)).toBe(member);
});
