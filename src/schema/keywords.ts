import type { CodeKeywordDefinition, KeywordCxt, Name } from "ajv";
import { isMultiple } from "./decimal.js";
import { findDuplicate, isOneOf } from "./json-equality.js";
import { loadAjv } from "./load-ajv.js";

/** Whether a schema describes something that does not travel in the direction that is judged. */
export type IsAbsent = (schema: unknown) => boolean;

/**
 * The keywords that Ajv reads otherwise than a document means them: its equality calls members of data such as `valueOf`, takes quadratic
 * time for `uniqueItems`, and refuses an empty `enum`; `multipleOf` divides floating-point numbers. What is `isAbsent` is not required.
 */
export function ownKeywords(isAbsent: IsAbsent = () => false): CodeKeywordDefinition[] {
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
        const { properties } = cxt.parentSchema as { readonly properties?: Readonly<Record<string, unknown>> };
        const schemaOf = (name: string) => (Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined);
        const names = (cxt.schema as readonly string[]).filter((name) => !isAbsent(schemaOf(name)));
        if (names.length === 0) return;
        const list = cxt.gen.scopeValue("schema", { ref: names });
        const missing = cxt.gen.const("missing", _`${call(cxt, firstMissing)}(${cxt.data}, ${list})`);
        cxt.setParams({ missing });
        cxt.fail(_`${missing} !== undefined`);
      },
    },
  ];
}

function firstMissing(data: object, names: readonly string[]): string | undefined {
  return names.find((name) => !Object.hasOwn(data, name));
}
