import type { CodeKeywordDefinition, KeywordCxt, Name } from "ajv";
import { isMultiple } from "./decimal.js";
import { type AbsentKeyword, absentNames, type Resolve } from "./direction.js";
import { findDuplicate, isOneOf } from "./json-equality.js";
import { loadAjv } from "./load-ajv.js";

/**
 * The keywords that Ajv reads otherwise than a document means them: its equality calls members of data such as `valueOf`, takes quadratic
 * time for `uniqueItems`, and refuses an empty `enum`; `multipleOf` divides floating-point numbers. What does not travel in the judged
 * direction is not required.
 */
export function ownKeywords(resolve: Resolve, absent: AbsentKeyword | undefined): CodeKeywordDefinition[] {
  const { _, str } = loadAjv();
  const call = ({ gen }: KeywordCxt, ref: (...given: never[]) => unknown): Name => gen.scopeValue("func", { ref });
  return [
    {
      keyword: "const",
      error: { message: "must be equal to constant", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
      code: (cxt) => {
        const others = cxt.gen.scopeValue("schema", { ref: [cxt.schema] });
        cxt.fail(_`!${call(cxt, isOneOf)}(${cxt.data}, ${others})`);
      },
    },
    {
      keyword: "enum",
      schemaType: "array",
      error: {
        message: "must be equal to one of the allowed values",
        params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
      },
      code: (cxt) => cxt.fail(_`!${call(cxt, isOneOf)}(${cxt.data}, ${cxt.schemaCode})`),
    },
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      error: {
        message: ({ params: { i, j } }) => str`must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
        params: ({ params: { i, j } }) => _`{i: ${i}, j: ${j}}`,
      },
      code: (cxt) => {
        if (!cxt.schema) return;
        const pair = cxt.gen.const("pair", _`${call(cxt, findDuplicate)}(${cxt.data})`);
        cxt.setParams({ j: cxt.gen.const("j", _`${pair}?.[0]`), i: cxt.gen.const("i", _`${pair}?.[1]`) });
        cxt.fail(_`${pair} !== undefined`);
      },
    },
    {
      keyword: "multipleOf",
      type: "number",
      schemaType: "number",
      error: {
        message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
        params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
      },
      code: (cxt) => cxt.fail(_`!${call(cxt, isMultiple)}(${cxt.data}, ${cxt.schemaCode})`),
    },
    {
      keyword: "required",
      type: "object",
      schemaType: "array",
      error: {
        message: ({ params: { missing } }) => str`must have required property '${missing}'`,
        params: ({ params: { missing } }) => _`{missingProperty: ${missing}}`,
      },
      code: (cxt) => {
        const missingByRight = absent === undefined ? new Set() : absentNames(wholeSchema(cxt), absent, resolve);
        const names = (cxt.schema as readonly string[]).filter((name) => !missingByRight.has(name));
        if (names.length === 0) return;
        const list = cxt.gen.scopeValue("schema", { ref: names });
        const missing = cxt.gen.const("missing", _`${call(cxt, firstMissing)}(${cxt.data}, ${list})`);
        cxt.setParams({ missing });
        cxt.fail(_`${missing} !== undefined`);
      },
    },
  ];
}

/** The schema that a keyword is in, or the one of whose `allOf` that is a part. */
function wholeSchema({ it: { errSchemaPath, schemaEnv }, parentSchema }: KeywordCxt): unknown {
  const start = schemaEnv.schemaPath === undefined ? "#" : String(schemaEnv.schemaPath);
  if (!errSchemaPath.startsWith(start)) return parentSchema;
  const keys = errSchemaPath
    .slice(start.length)
    .replace(/(?:\/allOf\/\d+)+$/, "")
    .split("/")
    .slice(1);
  let node: unknown = schemaEnv.schema;
  for (const key of keys) {
    if (typeof node !== "object" || node === null) return parentSchema;
    node = Reflect.get(node, decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return node ?? parentSchema;
}

function firstMissing(data: object, names: readonly string[]): string | undefined {
  return names.find((name) => !Object.hasOwn(data, name));
}
