import { loadContract } from "../../../src/chat/contract.js";
import { conventionsOf } from "../../../src/contract/rest/conventions.js";
import type {
  ContractDocument,
  ExampleObject,
  Method,
  OperationObject,
  ParameterObject,
  Reference,
  Schema,
} from "../../../src/contract/rest/document.js";
import type { Rule, ShownBy } from "../../../src/contract/rest/rule.js";

const chatConventions = conventionsOf(await loadContract());

/** The only operation of a tiny contract. */
export interface TinyOperation {
  readonly method?: Method;
  readonly path?: string;
  readonly parameters?: readonly ParameterObject[];
  /** The form fields by name. */
  readonly fields?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The fields that are encoded as JSON. */
  readonly json?: readonly string[];
  /** `x-refers-to` by field. */
  readonly references?: Readonly<Record<string, Reference>>;
  readonly multipart?: boolean;
  /** The form that the only case sends. */
  readonly sends?: Readonly<Record<string, unknown>>;
  /** The values of provider states that its only case sends, by field. */
  readonly bind?: Readonly<Record<string, string>>;
  readonly as?: string;
  readonly open?: boolean;
  /** The recommendations on which the only case relies. */
  readonly reliesOn?: readonly string[];
  /** Rules of the operation besides `notes.edit.done`, which its case checks: `shown-by` by id. */
  readonly rules?: Readonly<Record<string, ShownBy | undefined>>;
  /** Refusals of the operation with status 400: codes by the id of their rule. */
  readonly refusals?: Readonly<Record<string, string>>;
}

const result = (value: string): Schema => ({ type: "string", const: value });
const error = (code: Schema): Schema => ({
  type: "object",
  required: ["result", "msg", "code"],
  properties: { result: result("error"), msg: { type: "string" }, code },
});
const json = (schema: Schema, examples: Record<string, ExampleObject> = {}) => ({
  content: { "application/json": { schema, examples } },
});
const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Creates a contract of one operation `editNote` with one case `done`, whose request succeeds, and one case `no_credentials`. */
export function tinyContract(given: TinyOperation = {}): ContractDocument {
  const { method = "post", path = "/notes", parameters = [], fields, required = [], sends = {}, refusals = {} } = given;
  const own = {
    "notes.edit.done": undefined,
    ...Object.fromEntries(Object.keys(refusals).map((id) => [id, undefined])),
  };
  const operation: OperationObject = {
    operationId: "editNote",
    summary: "Edit a note",
    tags: ["notes"],
    "x-feature": "notes.edit",
    parameters: [...parameters],
    responses: {
      "200": {
        description: "Done.",
        ...json(named("Success"), {
          done: {
            "x-case": {
              rule: "notes.edit.done",
              as: given.as ?? "member",
              given: [],
              ...(given.bind === undefined ? {} : { bind: given.bind }),
              ...(given.open ? { open: "?" } : {}),
              ...(given.reliesOn === undefined ? {} : { "relies-on": [...given.reliesOn] }),
            },
            value: { result: "success", msg: "" },
          },
        }),
      },
      "400": {
        description: "Refused.",
        ...json(
          { anyOf: [named("BadRequest"), named("OtherError")] },
          Object.fromEntries(
            Object.entries(refusals).map(([rule, code]) => [
              rule,
              { "x-case": { rule, given: [] }, value: { result: "error", msg: "No", code } },
            ]),
          ),
        ),
      },
      "401": {
        description: "Nobody.",
        ...json(named("Unauthorized"), {
          no_credentials: {
            "x-case": { rule: "authentication.no-credentials", as: "nobody", given: [] },
            value: { result: "error", msg: "Who?", code: "UNAUTHORIZED" },
          },
        }),
      },
      default: { description: "Another error.", ...json(named("OtherError")) },
    },
    "x-rules": toRules({ ...own, ...given.rules }),
  };
  if (fields !== undefined) {
    const type = given.multipart ? "multipart/form-data" : "application/x-www-form-urlencoded";
    const encoding = Object.fromEntries(
      Object.keys(fields).map((name) => {
        const reference = given.references?.[name];
        return [
          name,
          {
            ...(given.json?.includes(name) ? { contentType: "application/json" } : {}),
            ...(reference === undefined ? {} : { "x-refers-to": reference }),
          },
        ];
      }),
    );
    const schema = { type: "object", required: [...required], properties: { ...fields } };
    operation.requestBody = {
      required: true,
      content: { [type]: { schema, encoding, examples: { done: { value: sends } } } },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tiny", version: "1.0.0" },
    servers: [{ url: "/" }],
    "x-accord": chatConventions,
    security: [{ basicAuth: [] }],
    "x-rules": toRules({
      "authentication.no-credentials": { kind: "no-credentials" },
      "authentication.wrong-credentials": { kind: "wrong-credentials" },
      "conventions.form-charset": { kind: "form-charset" },
      "conventions.unsupported-parameters": { kind: "unknown-parameters" },
      "conventions.ignored-parameters": { kind: "ignored-parameters", at: "/ignored_parameters_unsupported" },
    }),
    paths: { [path]: { [method]: operation } },
    components: {
      securitySchemes: { basicAuth: { type: "http", scheme: "basic" } },
      schemas: {
        Success: {
          type: "object",
          required: ["result", "msg"],
          properties: {
            result: result("success"),
            msg: { const: "" },
            ignored_parameters_unsupported: { type: "array", items: { type: "string" } },
          },
        },
        BadRequest: error({ const: "BAD_REQUEST" }),
        Unauthorized: error({ const: "UNAUTHORIZED" }),
        OtherError: error({ type: "string", not: { enum: ["BAD_REQUEST", "UNAUTHORIZED"] } }),
      },
    },
  };
}

function toRules(rules: Readonly<Record<string, ShownBy | undefined>>): Rule[] {
  return Object.entries(rules).map(([id, shownBy]) => ({
    id,
    text: id,
    ...(shownBy === undefined ? {} : { "shown-by": shownBy }),
  }));
}
