import type { Code, CodeKeywordDefinition, KeywordCxt } from "ajv";
import type { KeywordErrorCxt } from "ajv/dist/types/index.js";
import { listOf } from "./describe-error.js";
import type { Resolve } from "./direction.js";
import { type Discriminator, readDiscriminator } from "./discriminator.js";
import { loadAjv } from "./load-ajv.js";

/**
 * Lets alternatives with a discriminator be judged by it: the one that the value names is validated, so that a problem has its place, and a
 * value that names none is a problem. An object without the property, or another value, is judged as without a discriminator.
 */
export function withDiscriminator(original: CodeKeywordDefinition, resolve: Resolve): CodeKeywordDefinition {
  const { _, str } = loadAjv();
  const { error } = original;
  const { message = "" } = error ?? {};
  const plainMessage = (cxt: KeywordErrorCxt): Code =>
    typeof message === "function" ? (message as unknown as (cxt: KeywordErrorCxt) => Code)(cxt) : str`${message}`;
  const plainParams = (cxt: KeywordErrorCxt): Code =>
    (error?.params as typeof plainMessage | undefined)?.(cxt) ?? _`{}`;
  return {
    ...original,
    error: {
      message: (cxt) =>
        cxt.params.property === undefined
          ? plainMessage(cxt)
          : str`must name a schema by \`${cxt.params.property}\`: one of ${cxt.params.values}`,
      params: (cxt) => (cxt.params.property === undefined ? plainParams(cxt) : _`{property: ${cxt.params.property}}`),
    },
    code: (cxt) => {
      const found = readDiscriminator(cxt.parentSchema, resolve);
      if (found?.keyword === cxt.keyword) judge(cxt, found);
      else original.code(cxt);
    },
  };
}

function judge(cxt: KeywordCxt, { property, keyword, positions }: Discriminator): void {
  const { _, Name } = loadAjv();
  const { gen, data, schema } = cxt;
  const valid = gen.let("valid", false);
  const tag = gen.const("tag", _`typeof ${data} == "object" && ${data} !== null ? ${data}[${property}] : undefined`);
  const values = [...positions].filter(([, at]) => at === undefined).map(([value]) => value);
  gen.if(_`typeof ${tag} != "string" || ${gen.scopeValue("obj", { ref: values })}.includes(${tag})`);
  for (const at of (schema as unknown[]).keys()) {
    const fits = gen.name("_valid");
    const inner = cxt.subschema({ keyword, schemaProp: at, compositeRule: true }, fits);
    gen.assign(valid, _`${valid} || ${fits}`);
    cxt.mergeValidEvaluated(inner, fits);
  }
  gen.if(_`!${valid}`, () => cxt.error(true, { passing: "null" }));
  for (const [value, at] of positions) {
    if (at === undefined) continue;
    gen.elseIf(_`${tag} === ${value}`);
    const fits = gen.name("_valid");
    const inner = cxt.subschema({ keyword, schemaProp: at }, fits);
    cxt.mergeEvaluated(inner, Name);
    gen.assign(valid, fits);
  }
  gen.else();
  cxt.error(false, { property, values: listOf([...positions.keys()]) });
  gen.endIf();
  cxt.ok(valid);
}
