import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { listCases } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { listRules } from "../../../../src/contract/chat/rules.js";
import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import type { Probe } from "../../../../src/verify/chat/probes/probe.js";
import { listProbedOperations } from "../../../../src/verify/chat/probes/probed-operation.js";
import { smallDocument } from "../../../support/small-document.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";

const nameOf = ({ id }: Probe) => id.replace("probe editNote/", "");
/** The names of the probes that end in something, with the texts that they send and what is expected. */
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

describe("wrong values", () => {
  it.each<[string, TinyOperation, (readonly [string, string])[]]>([
    ["any text has none", { fields: { x: { type: "string" } }, sends: { x: "a" } }, []],
    [
      "an integer",
      { fields: { x: { type: "integer" } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-fraction", "1.5"],
      ],
    ],
    ["a truth value", { fields: { x: { type: "boolean" } }, sends: { x: true } }, [["x-wrong-word", "no-such-value"]]],
    [
      "a word of a list",
      { fields: { x: { type: "string", enum: ["start", "stop"] } }, sends: { x: "start" } },
      [["x-wrong-word", "no-such-value"]],
    ],
    [
      "a number of a list",
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
        ["x-wrong-fraction", "1.5"],
      ],
    ],
    ["an integer or any text has none", { fields: { x: { anyOf: [{ type: "integer" }, { type: "string" }] } } }, []],
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
      "an object of whatever",
      { fields: { x: { type: "object" } }, json: ["x"], sends: { x: {} } },
      [
        ["x-wrong-no-json", '["unfinished'],
        ["x-wrong-json-boolean", "true"],
        ["x-wrong-json-number", "1.5"],
        ["x-wrong-json-text", '"no-such-value"'],
        ["x-wrong-json-array", "[[]]"],
      ],
    ],
    ["a file has none", { fields: { x: { format: "binary" } }, multipart: true, sends: { x: {} } }, []],
  ])("%s", (_, operation, want) => {
    expect(probesOf(operation, /-wrong-/)).toEqual(want.map(([name, text]) => [name, text, some]));
  });

  it("members of the items of an array", () => {
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

describe("bounds", () => {
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
    [
      "nothing below a length of none",
      { fields: { x: { type: "string", minLength: 0 } } },
      [["x-at-min-length", "", "any"]],
    ],
    [
      "of alternatives, the first of each kind that forbids",
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
  ])("%s", (_, operation, want) => {
    expect(probesOf(operation, /-(at|beyond)-(min|max|pattern)/)).toEqual(want);
  });
});

describe("what is left out and what is sent elsewhere", () => {
  const fields = { a: { type: "string" }, b: { type: "string" } };

  it("a required field is left out, another is not", () => {
    const operation = { fields, required: ["a"], sends: { a: "1", b: "2" } };
    expect(probesOf(operation, /missing/)).toEqual([["a-missing", "leave-out", some]]);
  });

  it("the code of a field that is left out is that of its rule, if the contract fixes one", () => {
    const operation = {
      fields,
      required: ["a"],
      sends: { a: "1" },
      refusals: { "notes.edit.a-required": "BAD_REQUEST" },
    };
    const probe = listProbes(tinyContract(operation)).find((one) => nameOf(one) === "a-missing");
    expect(probe).toMatchObject({
      rules: ["notes.edit.a-required"],
      expectation: { kind: "refused", status: 400, code: "BAD_REQUEST" },
    });
  });

  it("only a field that the case sends is repeated and moved", () => {
    expect(probesOf({ fields, sends: { b: "2" } }, /repeated|in-query/)).toEqual([
      ["b-repeated", "repeat", "any"],
      ["b-in-query", "move-to-query", "any"],
    ]);
  });

  it("a value in the path may be no endpoint for a router", () => {
    const parameters = [
      { name: "note_id", in: "path" as const, required: true, schema: { type: "integer" }, example: 7 },
    ];
    expect(probesOf({ path: "/notes/{note_id}", parameters }, /note_id-(?!odd)/)).toEqual([
      ["note_id-wrong-word", "no-such-value", "refused-or-not-found"],
      ["note_id-wrong-fraction", "1.5", "refused-or-not-found"],
    ]);
  });
});

describe("callers", () => {
  it.each<[string, TinyOperation, string[]]>([
    ["nobody without a rule", { as: "administrator" }, []],
    [
      "all but administrators",
      { as: "administrator", rules: ["notes.edit.administrators-only"] },
      ["by-moderator", "by-member", "by-guest", "by-bot"],
    ],
    [
      "all but owners",
      { as: "owner", rules: ["notes.edit.done-owners-only"] },
      ["done-by-administrator", "done-by-moderator", "done-by-member", "done-by-guest", "done-by-bot"],
    ],
    ["nobody when nobody is known to be allowed", { as: "member", rules: ["notes.edit.administrators-only"] }, []],
  ])("are refused: %s", (_, operation, want) => {
    expect(probesOf(operation, /by-[a-z]+$/).map(([name]) => name)).toEqual(want);
  });

  it("without valid credentials get what the cases say", () => {
    const probes = listProbes(tinyContract()).filter(({ change }) => change.kind === "authorization");
    expect(probes.map(nameOf)).toEqual(["no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"]);
    expect(probes.filter(({ states }) => states)).toEqual([]);
    expect(probes[0]).toMatchObject({
      rules: ["authentication.no-credentials"],
      expectation: { kind: "refused", status: 401, code: "UNAUTHORIZED" },
    });
  });
});

describe("the whole list", () => {
  it("an operation whose success is open is not changed", () => {
    const names = listProbes(tinyContract({ open: true, fields: { x: { type: "integer" } } })).map(nameOf);
    expect(names).toEqual(["method-put", "no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"]);
  });

  it("unknown parameters are only reported where the level has that", () => {
    const before = tinyContract({ fields: { x: { type: "string" } }, sends: { x: "a" } });
    before["x-rules"] = [];
    const kinds = [tinyContract(), before].map(
      (document) => listProbes(document).find((probe) => nameOf(probe) === "unknown-parameters")?.expectation,
    );
    expect(kinds).toEqual([
      { kind: "ignored", parameters: ["accord_unknown", "accord_unknown_list"] },
      { kind: "succeeds" },
    ]);
  });

  it("takes a contract that uses every construct of levels", () => {
    for (const level of [0, 55, 100, 200]) {
      expect(listProbes(atFeatureLevel(smallDocument(), level)).length).toBeGreaterThan(0);
    }
  });
});

describe.each([415, 300, 205, 0])("the contract of this package at level %i", async (level) => {
  const view = atFeatureLevel(await loadContract(), level);
  const probes = listProbes(view);

  it("has a probe of each operation, and ids that are unique and stable", () => {
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

it("every id in a path is asked for in another organization", async () => {
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
