import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
} from "../../../contract/chat/document.js";

/** A contract, or the description of the provider states. */
type ReducedDocument = Pick<ContractDocument, "openapi" | "info" | "servers" | "paths"> & {
  readonly components?: ContractDocument["components"];
  readonly security?: unknown;
};

/**
 * Writes the part of a contract that Respect needs to send requests. Respect parses the text as YAML, walks it once per file of workflows,
 * and compiles the schema of every response even if its check is off. This package compares responses with the contract itself.
 */
export function respectContract(contract: ReducedDocument): string {
  const { openapi, info, servers, security, components = { schemas: {} } } = contract;
  const { responses: _, schemas, ...others } = components;
  const paths = Object.entries(contract.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, given]) => [method, withoutSchemas(contract, given)])),
  ]);
  const document = { openapi, info, servers, security, paths: Object.fromEntries(paths) };
  const used = usedSchemas(schemas, { ...document, components: others });
  return JSON.stringify({ ...document, components: { ...others, schemas: used } }, withoutTexts);
}

/** Reduces the responses of an operation to their media types. */
function withoutSchemas(contract: object, operation: OperationObject): object {
  const responses = Object.entries(operation.responses).map(([status, given]) => {
    const { content } = resolve<ResponseObject>(contract, given);
    const types = Object.keys(content ?? {}).map((type) => [type, {}]);
    return [status, { description: "", ...(content === undefined ? {} : { content: Object.fromEntries(types) }) }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

/** Returns the schemas that a document refers to, directly or through other schemas. */
function usedSchemas(schemas: Readonly<Record<string, object>>, document: object): Record<string, object> {
  const used: Record<string, object> = {};
  const queue: object[] = [document];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const [, name = ""] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (schema === undefined || Object.hasOwn(used, name)) continue;
      used[name] = schema;
      queue.push(schema);
    }
  }
  return used;
}

/** A replacer that drops descriptions and extensions. An empty description stays, because responses must have one. */
function withoutTexts(key: string, value: unknown): unknown {
  return key.startsWith("x-") || (key === "description" && typeof value === "string" && value !== "")
    ? undefined
    : value;
}
