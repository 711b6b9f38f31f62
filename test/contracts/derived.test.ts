import { describe, expect, it } from "vitest";
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
      expect(unkept((await verify(fault)).report)).toEqual(rule === shared[0] ? shared : [rule]);
    },
  );
});
