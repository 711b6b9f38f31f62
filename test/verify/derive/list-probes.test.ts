import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { loadContract } from "../../../src/chat/contract.js";
import { listCases } from "../../../src/contract/rest/cases.js";
import type { Reference } from "../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { listProbedOperations } from "../../../src/contract/rest/probed-operation.js";
import { listRules } from "../../../src/contract/rest/rules.js";
import { chatProbes as listProbes } from "../../support/chat-probes.js";
import { smallDocument } from "../../support/small-document.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";
import { callOf, nameOf, probesOf } from "./tiny-probes.js";

const some = { status: "4XX" };

describe("probes of omitted, misplaced and invalid parameters", () => {
  const fields = { a: { type: "string" }, b: { type: "string" } };

  it("omit only required fields", async () => {
    const operation = { fields, required: ["a"], sends: { a: "1", b: "2" } };
    expect(await probesOf(operation, /missing/)).toEqual([["a-missing", "1", "4XX", "omitted"]]);
  });

  it("expect the code that the rule of an omitted field fixes", async () => {
    const operation = {
      fields,
      required: ["a"],
      sends: { a: "1" },
      rules: { "notes.edit.a-required": { kind: "missing-parameter" as const, parameter: "a" } },
      refusals: { "notes.edit.a-required": "BAD_REQUEST" },
    };
    const probe = (await listProbes(tinyContract(operation))).find((one) => nameOf(one) === "a-missing");
    expect(probe).toMatchObject({
      rules: ["notes.edit.a-required"],
      steps: [{ kind: "state" }, { expect: [{ status: 400, body: { "/code": "BAD_REQUEST" } }] }],
    });
  });

  it("repeat and move only fields that the case sends", async () => {
    expect(await probesOf({ fields, sends: { b: "2" } }, /repeated|in-query/)).toEqual([
      ["b-repeated", "2", "any", "twice"],
      ["b-in-query", "2", "any", "query"],
    ]);
  });

  it("allow a router to reject the value of a path parameter", async () => {
    const parameters = [
      { name: "note_id", in: "path" as const, required: true, schema: { type: "integer" }, example: 7 },
    ];
    const probes = await listProbes(tinyContract({ path: "/notes/{note_id}", parameters }));
    const wrong = probes.filter((probe) => /note_id-(?!odd)/.test(nameOf(probe)));
    expect(wrong.map((probe) => [nameOf(probe), callOf(probe).with.note_id, callOf(probe).expect[0]])).toEqual([
      ["note_id-wrong-word", "no-such-value", { status: "4XX", open: [404, 405] }],
      ["note_id-wrong-fraction", "1.5", { status: "4XX", open: [404, 405] }],
    ]);
  });
});

describe("probes of references to another organization", () => {
  const references = async (given: Reference, refusals: Readonly<Record<string, string>> = {}) => {
    const operation: TinyOperation = {
      fields: { note: { type: "integer" }, other: { type: "integer" } },
      sends: { note: 1, other: 2 },
      bind: { note: "credentials.other.user_id" },
      references: { note: given },
      refusals,
    };
    return (await listProbes(tinyContract(operation))).filter((one) => nameOf(one).endsWith("of-another-organization"));
  };
  const rule = "notes.edit.unknown-note";
  it.each<[string, Reference, Readonly<Record<string, string>>, readonly unknown[]]>([
    ["any refusal without a rule", { kind: "note" }, {}, [[], some]],
    [
      "the refusal that the rule fixes",
      { kind: "note", rules: [rule] },
      { [rule]: "BAD_REQUEST" },
      [[rule], { status: 400, body: { "/code": "BAD_REQUEST" } }],
    ],
    ["any refusal if the rule does not hold at the level", { kind: "note", rules: [rule] }, {}, [[], some]],
    ["any response if references need not exist", { kind: "note", inaccessible: "allowed" }, {}, [[], {}]],
    [
      "success if a rule says that references need not exist",
      { kind: "note", inaccessible: "allowed", rules: ["notes.edit.done"] },
      {},
      [["notes.edit.done"], { status: "2XX" }],
    ],
  ])("expect %s", async (_, given, refusals, want) => {
    const [probe, ...more] = await references(given, refusals);
    const call = probe && callOf(probe);
    expect([probe?.rules, call?.expect[0]]).toEqual([want[0], expect.objectContaining(want[1] as object)]);
    expect(more).toEqual([]);
  });

  it("send the value of another organization, and look for texts of it in the response", async () => {
    const [probe] = await references({ kind: "note" });
    expect(probe?.steps).toMatchObject([
      { kind: "state", id: "given-1" },
      {
        ...{ kind: "state", id: "foreign-1", fresh: true, precondition: true },
        expect: { "$foreign-1.credentials.other.user_id": { not: "$credentials.other.user_id" } },
      },
      {
        with: { note: "$foreign-1.credentials.other.user_id", other: 2 },
        expect: [{ hides: ["zqforeignqz", "$foreign-1.credentials"] }],
      },
    ]);
  });
});

describe("the list of probes", () => {
  it("changes only method and credentials if the contract leaves open whether the request succeeds", async () => {
    const probes = await listProbes(tinyContract({ open: true, fields: { x: { type: "integer" } } }));
    expect(probes.map(nameOf)).toEqual([
      "method-put",
      "no-credentials",
      "unknown-user",
      "no-base64",
      "no-key",
      "other-scheme",
    ]);
  });

  it("expects reports of unknown parameters only at levels that have them", async () => {
    const before = tinyContract({ fields: { x: { type: "string" } }, sends: { x: "a" } });
    before["x-rules"] = (before["x-rules"] ?? []).filter(({ id }) => !id.endsWith("ignored-parameters"));
    const names = await Promise.all([tinyContract(), before].map(async (one) => (await listProbes(one)).map(nameOf)));
    expect(names.map((all) => all.filter((name) => name.startsWith("unknown-parameters")))).toEqual([
      ["unknown-parameters", "unknown-parameters-reported"],
      ["unknown-parameters"],
    ]);
  });

  it("accepts a contract that uses every construct of levels", async () => {
    for (const level of [0, 55, 100, 200]) {
      expect((await listProbes(atFeatureLevel(smallDocument(), level))).length).toBeGreaterThan(0);
    }
  });
});

describe.each([415, 300, 205, 0])("the contract of this package at level %i", async (level) => {
  const view = atFeatureLevel(await loadContract(), level);
  const probes = await listProbes(view);

  it("has a probe for each operation, and unique and stable ids", async () => {
    const operations = Object.values(view.paths).flatMap((item) => Object.values(item).map((one) => one.operationId));
    expect([...new Set(probes.map(({ operation }) => operation))].sort()).toEqual(operations.sort());
    const ids = probes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await listProbes(view)).map(({ id }) => id)).toEqual(ids);
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
    const asked = (await listProbes(view)).map(({ id }) => id);
    const ids = listProbedOperations(view, listCases(view)).flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ place, schema }) => place === "path" && schema.type === "integer")
        .map(({ name }) => `probe ${operationId}/${name}-of-another-organization`),
    );
    expect(ids.length).toBeGreaterThan(8);
    expect(asked).toEqual(expect.arrayContaining(ids));
  });
});

describe("the recommendations on which probes rely", () => {
  const fields = { x: { type: "integer" } } as const;
  const reliesOn = async (operation: TinyOperation, name: string) =>
    (await listProbes(tinyContract(operation))).find((one) => nameOf(one) === name)?.reliesOn;

  it.each<[what: string, operation: TinyOperation, probe: string]>([
    ["the case that they change", { fields, sends: { x: 1 }, reliesOn: ["notes.edit.a"] }, "x-wrong-word"],
    [
      "`x-refers-to`",
      {
        fields,
        sends: { x: 1 },
        bind: { x: "credentials.other.user_id" },
        references: { x: { kind: "note", "relies-on": ["notes.edit.a"] } },
      },
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
  ])("are those of %s", async (_, operation, probe) => {
    expect(await reliesOn(operation, probe)).toEqual(["notes.edit.a"]);
    expect(await reliesOn(operation, "no-credentials")).toEqual(operation.reliesOn ?? []);
  });
});
