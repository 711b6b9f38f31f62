import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { listCases } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import type { Reference } from "../../../../src/contract/chat/document.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { listRules } from "../../../../src/contract/chat/rules.js";
import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import { listProbedOperations } from "../../../../src/verify/chat/probes/probed-operation.js";
import { smallDocument } from "../../../support/small-document.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";
import { nameOf, probesOf } from "./tiny-probes.js";

const some = "refused-some-way";

describe("probes of omitted, misplaced and invalid parameters", () => {
  const fields = { a: { type: "string" }, b: { type: "string" } };

  it("omit only required fields", () => {
    const operation = { fields, required: ["a"], sends: { a: "1", b: "2" } };
    expect(probesOf(operation, /missing/)).toEqual([["a-missing", "omit", some]]);
  });

  it("expect the code that the rule of an omitted field fixes", () => {
    const operation = {
      fields,
      required: ["a"],
      sends: { a: "1" },
      rules: { "notes.edit.a-required": { kind: "missing-parameter" as const, parameter: "a" } },
      refusals: { "notes.edit.a-required": "BAD_REQUEST" },
    };
    const probe = listProbes(tinyContract(operation)).find((one) => nameOf(one) === "a-missing");
    expect(probe).toMatchObject({
      rules: ["notes.edit.a-required"],
      expectation: { kind: "refused", status: 400, code: "BAD_REQUEST" },
    });
  });

  it("repeat and move only fields that the case sends", () => {
    expect(probesOf({ fields, sends: { b: "2" } }, /repeated|in-query/)).toEqual([
      ["b-repeated", "repeat", "any"],
      ["b-in-query", "move-to-query", "any"],
    ]);
  });

  it("allow a router to reject the value of a path parameter", () => {
    const parameters = [
      { name: "note_id", in: "path" as const, required: true, schema: { type: "integer" }, example: 7 },
    ];
    expect(probesOf({ path: "/notes/{note_id}", parameters }, /note_id-(?!odd)/)).toEqual([
      ["note_id-wrong-word", "no-such-value", "refused-or-not-found"],
      ["note_id-wrong-fraction", "1.5", "refused-or-not-found"],
    ]);
  });
});

describe("probes of references to another organization", () => {
  const reference = (given: Reference, refusals: Readonly<Record<string, string>> = {}) =>
    listProbes(
      tinyContract({
        fields: { note: { type: "integer" }, other: { type: "integer" } },
        sends: { note: 1, other: 2 },
        references: { note: given },
        refusals,
      }),
    )
      .filter(({ change }) => change.kind === "foreign")
      .map((probe) => [nameOf(probe), probe.rules, probe.expectation]);
  const rule = "notes.edit.unknown-note";
  it.each<[string, Reference, Readonly<Record<string, string>>, readonly unknown[]]>([
    ["any refusal without a rule", { kind: "note" }, {}, [[], { kind: some }]],
    [
      "the refusal that the rule fixes",
      { kind: "note", rules: [rule] },
      { [rule]: "BAD_REQUEST" },
      [[rule], { kind: "refused", status: 400, code: "BAD_REQUEST" }],
    ],
    ["any refusal if the rule does not hold at the level", { kind: "note", rules: [rule] }, {}, [[], { kind: some }]],
    ["any response if references need not exist", { kind: "note", inaccessible: "allowed" }, {}, [[], { kind: "any" }]],
    [
      "success if a rule says that references need not exist",
      { kind: "note", inaccessible: "allowed", rules: ["notes.edit.done"] },
      {},
      [["notes.edit.done"], { kind: "succeeds" }],
    ],
  ])("expect %s", (_, given, refusals, want) => {
    expect(reference(given, refusals)).toEqual([["note-of-another-organization", ...want]]);
  });
});

describe("the list of probes", () => {
  it("changes only method and credentials if the contract leaves open whether the request succeeds", () => {
    const names = listProbes(tinyContract({ open: true, fields: { x: { type: "integer" } } })).map(nameOf);
    expect(names).toEqual(["method-put", "no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"]);
  });

  it("expects reports of unknown parameters only at levels that have them", () => {
    const before = tinyContract({ fields: { x: { type: "string" } }, sends: { x: "a" } });
    before["x-rules"] = [];
    const kinds = [tinyContract(), before].map(
      (document) => listProbes(document).find((probe) => nameOf(probe) === "unknown-parameters")?.expectation,
    );
    expect(kinds).toEqual([
      {
        ...{ kind: "ignored", parameters: ["accord_unknown", "accord_unknown_list"] },
        listing: ["conventions.ignored-parameters"],
      },
      { kind: "succeeds" },
    ]);
  });

  it("accepts a contract that uses every construct of levels", () => {
    for (const level of [0, 55, 100, 200]) {
      expect(listProbes(atFeatureLevel(smallDocument(), level)).length).toBeGreaterThan(0);
    }
  });
});

describe.each([415, 300, 205, 0])("the contract of this package at level %i", async (level) => {
  const view = atFeatureLevel(await loadContract(), level);
  const probes = listProbes(view);

  it("has a probe for each operation, and unique and stable ids", () => {
    const operations = Object.values(view.paths).flatMap((item) => Object.values(item).map((one) => one.operationId));
    expect([...new Set(probes.map(({ operationId }) => operationId))].sort()).toEqual(operations.sort());
    const ids = probes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(listProbes(view).map(({ id }) => id)).toEqual(ids);
    expect(ids.filter((id) => !/^probe [A-Za-z]+\/[A-Za-z0-9_-]+$/.test(id))).toEqual([]);
  });

  it("names only rules that hold there", () => {
    const rules = new Set(listRules(view).map(({ id }) => id));
    expect(probes.flatMap((probe) => probe.rules.filter((rule) => !rules.has(rule)))).toEqual([]);
  });
});

describe("probes of the newest level", () => {
  it("include a reference to another organization for every id in a path", async () => {
    const view = atFeatureLevel(await loadContract(), newestLevel);
    const asked = listProbes(view).flatMap(({ operationId, change }) =>
      change.kind === "foreign" ? [`${operationId} ${change.parameter}`] : [],
    );
    const ids = listProbedOperations(view, listCases(view)).flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ place, schema }) => place === "path" && schema.type === "integer")
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(ids.length).toBeGreaterThan(8);
    expect(asked).toEqual(expect.arrayContaining(ids));
  });
});

describe("the recommendations on which probes rely", () => {
  const fields = { x: { type: "integer" } } as const;
  const reliesOn = (operation: TinyOperation, name: string) =>
    listProbes(tinyContract(operation)).find((one) => nameOf(one) === name)?.reliesOn;

  it.each<[what: string, operation: TinyOperation, probe: string]>([
    ["the case that they change", { fields, sends: { x: 1 }, reliesOn: ["notes.edit.a"] }, "x-wrong-word"],
    [
      "`x-refers-to`",
      { fields, sends: { x: 1 }, references: { x: { kind: "note", "relies-on": ["notes.edit.a"] } } },
      "x-of-another-organization",
    ],
    [
      "`shown-by` of the rule that they show",
      {
        ...{ fields, sends: { x: 1 }, required: ["x"] },
        rules: { "notes.edit.x": { kind: "missing-parameter", parameter: "x", "relies-on": ["notes.edit.a"] } },
      },
      "x-missing",
    ],
  ])("are those of %s", (_, operation, probe) => {
    expect(reliesOn(operation, probe)).toEqual(["notes.edit.a"]);
    expect(reliesOn(operation, "no-credentials")).toEqual(operation.reliesOn ?? []);
  });
});
