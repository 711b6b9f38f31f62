import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { listCases } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import type { Reference } from "../../../../src/contract/chat/document.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { listRules } from "../../../../src/contract/chat/rules.js";
import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import type { Probe } from "../../../../src/verify/chat/probes/probe.js";
import { listProbedOperations } from "../../../../src/verify/chat/probes/probed-operation.js";
import { smallDocument } from "../../../support/small-document.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";

const nameOf = ({ id }: Probe) => id.replace("probe editNote/", "");
/** The probes whose name matches, each with its name, the text that it sends, and the kind of response that it expects. */
function probesOf(operation: TinyOperation, about: RegExp) {
  return listProbes(tinyContract(operation))
    .filter((probe) => about.test(nameOf(probe)))
    .map((probe) => [
      nameOf(probe),
      probe.change.kind === "replace" ? probe.change.text : probe.change.kind,
      probe.expectation.kind,
    ]);
}
const some = "refused-some-way";

describe("wrong values of a parameter", () => {
  it.each<[string, TinyOperation, (readonly [string, string])[]]>([
    ["any text: none", { fields: { x: { type: "string" } }, sends: { x: "a" } }, []],
    [
      "an integer",
      { fields: { x: { type: "integer" } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-fraction", "1.5"],
      ],
    ],
    ["a boolean", { fields: { x: { type: "boolean" } }, sends: { x: true } }, [["x-wrong-word", "no-such-value"]]],
    [
      "a listed word",
      { fields: { x: { type: "string", enum: ["start", "stop"] } }, sends: { x: "start" } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-case", "START"],
      ],
    ],
    [
      "a listed number",
      { fields: { x: { type: "integer", enum: [1, 2] } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-fraction", "1.5"],
        ["x-wrong-number", "987654321"],
      ],
    ],
    [
      "an integer or a word",
      { fields: { x: { anyOf: [{ type: "integer" }, { type: "string", enum: ["newest"] }] } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-case", "NEWEST"],
        ["x-wrong-fraction", "1.5"],
      ],
    ],
    ["none for an integer or any text", { fields: { x: { anyOf: [{ type: "integer" }, { type: "string" }] } } }, []],
    [
      "an array of integers",
      { fields: { x: { type: "array", items: { type: "integer" } } }, json: ["x"], sends: { x: [1] } },
      [
        ["x-wrong-no-json", '["unfinished'],
        ["x-wrong-json-boolean", "true"],
        ["x-wrong-json-number", "1.5"],
        ["x-wrong-json-text", '"no-such-value"'],
        ["x-wrong-json-array", "[[]]"],
        ["x-wrong-json-object", '{"no-such-member":true}'],
        ["x-wrong-item-boolean", "[true]"],
        ["x-wrong-item-number", "[1.5]"],
        ["x-wrong-item-text", '["no-such-value"]'],
        ["x-wrong-item-array", "[[[]]]"],
        ["x-wrong-item-object", '[{"no-such-member":true}]'],
      ],
    ],
    [
      "any object",
      { fields: { x: { type: "object" } }, json: ["x"], sends: { x: {} } },
      [
        ["x-wrong-no-json", '["unfinished'],
        ["x-wrong-json-boolean", "true"],
        ["x-wrong-json-number", "1.5"],
        ["x-wrong-json-text", '"no-such-value"'],
        ["x-wrong-json-array", "[[]]"],
      ],
    ],
    ["a file: none", { fields: { x: { format: "binary" } }, multipart: true, sends: { x: {} } }, []],
  ])("are listed for %s", (_, operation, want) => {
    expect(probesOf(operation, /-wrong-/)).toEqual(want.map(([name, text]) => [name, text, some]));
  });

  it("include wrong members of the items of an array", () => {
    const item = {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer" }, value: { type: "string" } },
    };
    const operation = {
      fields: { x: { type: "array", items: item } },
      json: ["x"],
      sends: { x: [{ id: 1, value: "a" }] },
    };
    expect(probesOf(operation, /-wrong-(item-without-|id-|value-)/).map(([name, text]) => [name, text])).toEqual([
      ["x-wrong-item-without-id", '[{"value":"a"}]'],
      ["x-wrong-id-boolean", '[{"id":true,"value":"a"}]'],
      ["x-wrong-id-number", '[{"id":1.5,"value":"a"}]'],
      ["x-wrong-id-text", '[{"id":"no-such-value","value":"a"}]'],
      ["x-wrong-id-array", '[{"id":[[]],"value":"a"}]'],
      ["x-wrong-id-object", '[{"id":{"no-such-member":true},"value":"a"}]'],
      ["x-wrong-value-boolean", '[{"id":1,"value":true}]'],
      ["x-wrong-value-number", '[{"id":1,"value":1.5}]'],
      ["x-wrong-value-array", '[{"id":1,"value":[[]]}]'],
      ["x-wrong-value-object", '[{"id":1,"value":{"no-such-member":true}}]'],
    ]);
  });
});

describe("values at the bounds of a parameter", () => {
  it.each<[string, TinyOperation, (readonly [string, string, string])[]]>([
    ["none", { fields: { x: { type: "integer" } }, sends: { x: 1 } }, []],
    [
      "minimum and maximum",
      { fields: { x: { type: "integer", minimum: 1, maximum: 8 } }, sends: { x: 3 } },
      [
        ["x-beyond-minimum", "0", some],
        ["x-beyond-maximum", "9", some],
        ["x-at-minimum", "1", "any"],
        ["x-at-maximum", "8", "any"],
      ],
    ],
    [
      "lengths in code points",
      { fields: { x: { type: "string", minLength: 1, maxLength: 2 } }, sends: { x: "a" } },
      [
        ["x-beyond-min-length", "", some],
        ["x-beyond-max-length", "𝔵𝔵𝔵", some],
        ["x-at-min-length", "𝔵", "any"],
        ["x-at-max-length", "𝔵𝔵", "any"],
      ],
    ],
    [
      "numbers of items",
      { fields: { x: { type: "array", minItems: 1, maxItems: 2 } }, json: ["x"], sends: { x: [7] } },
      [
        ["x-beyond-min-items", "[]", some],
        ["x-beyond-max-items", "[7,7,7]", some],
        ["x-at-min-items", "[7]", "any"],
        ["x-at-max-items", "[7,7]", "any"],
      ],
    ],
    ["nothing below length 0", { fields: { x: { type: "string", minLength: 0 } } }, [["x-at-min-length", "", "any"]]],
    [
      "the first bound of each kind among alternatives",
      {
        fields: {
          x: {
            anyOf: [
              { type: "integer", minimum: 5 },
              { type: "integer", minimum: 9, maximum: 10 },
            ],
          },
        },
        sends: { x: 5 },
      },
      [
        ["x-beyond-minimum", "4", some],
        ["x-at-minimum", "5", "any"],
        ["x-at-maximum", "10", "any"],
      ],
    ],
    [
      "a pattern",
      { fields: { x: { type: "string", pattern: "^[a-z]+$" } }, sends: { x: "a" } },
      [["x-beyond-pattern", "!", some]],
    ],
  ])("are listed for %s", (_, operation, want) => {
    expect(probesOf(operation, /-(at|beyond)-(min|max|pattern)/)).toEqual(want);
  });
});

describe("probes of omitted and misplaced parameters", () => {
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

describe("callers without the required role", () => {
  const administrators = { "notes.edit.restricted": { kind: "missing-role", role: "administrator" } } as const;
  it.each<[string, TinyOperation, string[]]>([
    ["none without a rule", { as: "administrator" }, []],
    [
      "all but administrators",
      { as: "administrator", rules: administrators },
      ["by-moderator", "by-member", "by-guest", "by-bot"],
    ],
    [
      "all but owners",
      {
        as: "owner",
        rules: { "notes.edit.restricted": { kind: "missing-role", role: "owner", allows: "notes.edit.done" } },
      },
      ["done-by-administrator", "done-by-moderator", "done-by-member", "done-by-guest", "done-by-bot"],
    ],
    ["none if no case shows who may", { as: "member", rules: administrators }, []],
  ])("are refused: %s", (_, operation, want) => {
    expect(probesOf(operation, /by-[a-z]+$/).map(([name]) => name)).toEqual(want);
  });

  it("cause an error if the role does not exist", () => {
    const rules = { "notes.edit.restricted": { kind: "missing-role" as const, role: "emperor" } };
    expect(() => listProbes(tinyContract({ rules }))).toThrow("emperor is not a role; use one of owner, administrator");
  });
});

describe("callers without valid credentials", () => {
  it("are refused as specified by the cases", () => {
    const probes = listProbes(tinyContract()).filter(({ change }) => change.kind === "authorization");
    expect(probes.map(nameOf)).toEqual(["no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"]);
    expect(probes.filter(({ states }) => states)).toEqual([]);
    expect(probes[0]).toMatchObject({
      rules: ["authentication.no-credentials"],
      expectation: { kind: "refused", status: 401, code: "UNAUTHORIZED" },
    });
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
  it("leaves unchanged a request whose success is open", () => {
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
