import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/chat/contract.js";
import { listCases } from "../../../../src/contract/rest/cases.js";
import {
  type ContractDocument,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../../../src/contract/rest/document.js";
import { listFeatures } from "../../../../src/contract/rest/features.js";
import { atFeatureLevel } from "../../../../src/contract/rest/level/at-feature-level.js";
import { listOperations, parametersOf } from "../../../../src/contract/rest/operations.js";
import { listRules } from "../../../../src/contract/rest/rules.js";
import { sampleOf } from "../../../support/thorough.js";

const contract = await loadContract();

/** Every level that changes the contract, and the level below it. */
const levels = [
  ...new Set(
    [
      ...listFeatures(contract).flatMap(({ level = {} }) => [
        level.added,
        level.removed,
        ...(level.changed ?? []).map((change) => change.level),
      ]),
      ...listRules(contract).flatMap(({ since, until }) => [since, until]),
    ].flatMap((level) => (level === undefined ? [] : [level - 1, level])),
  ),
].sort((a, b) => a - b);

function validatorsOf(document: ContractDocument) {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "contract", components: document.components });
  return (schema: Schema) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')));
}

describe.each(sampleOf(levels, 6).map((level) => [level]))("the contract at level %i", (level) => {
  const view = atFeatureLevel(contract, level);
  const cases = listCases(view);
  const rules = new Set(listRules(view).map(({ id }) => id));

  it("has no dangling references", () => {
    const references = [...JSON.stringify(view).matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref = ""]) => ({ $ref }));
    for (const reference of references) expect(() => resolve(view, reference)).not.toThrow();
    for (const one of cases)
      for (const id of [one.rule, ...one.also]) expect(rules, `${one.operationId} ${one.name}`).toContain(id);
  });

  it("requires and encodes only existing fields", () => {
    for (const { operation } of listOperations(view)) {
      for (const { schema, encoding = {} } of Object.values(operation.requestBody?.content ?? {})) {
        const { properties = {}, required = [] } = resolve<Schema>(view, schema);
        expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required, ...Object.keys(encoding)]));
      }
    }
  });

  it("has examples that match their schemas", () => {
    const compile = validatorsOf(view);
    const wrong: string[] = [];
    for (const { operation } of listOperations(view)) {
      const own = cases.filter(({ operationId }) => operationId === operation.operationId);
      const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => compile(schema));
      for (const [status, given] of Object.entries(operation.responses)) {
        const schema = resolve<ResponseObject>(view, given).content?.["application/json"]?.schema;
        const fits = schema === undefined ? undefined : compile(schema);
        for (const one of own.filter(({ response }) => response.status === Number(status))) {
          const place = `${one.operationId} ${one.name}`;
          if (fits !== undefined && !fits(one.response.body)) wrong.push(`${place}: response`);
          if (one.response.status < 300 && one.request.body && bodies.some((body) => !body(one.request.body)))
            wrong.push(`${place}: request`);
          const known = new Set([...parametersOf(view, operation).map(({ name }) => name)]);
          for (const name of Object.keys({ ...one.request.path, ...one.request.query })) expect(known).toContain(name);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
