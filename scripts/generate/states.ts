import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { resolve, type Schema } from "../../src/contract/rest/document.js";
import { mapNodes } from "../../src/contract/rest/map-nodes.js";
import { emptyObject, type StatesDocument } from "../../src/contract/rest/states/states-document.js";

/** Marks a schema as the name of a caller. */
const callerName = "x-caller-name";

/**
 * The code of the provider states: the names of callers and states, and types for the parameters and values of each
 * state.
 */
export async function statesModule(document: StatesDocument): Promise<string> {
  const states = Object.entries(document["x-states"]);
  const params = states.map(([name, { description, params }]) => [name, { ...emptyObject, ...params, description }]);
  const values = states.map(([name, { values }]) => [name, { ...emptyObject, ...values }]);
  return `// Written by \`npm run generate\`. Not to be edited.

/** The callers of every organization. */
export const callers = ${JSON.stringify(Object.keys(document["x-callers"]))} as const;
export type CallerName = (typeof callers)[number];

/** The provider states. */
export const stateNames = [
${states.map(([name]) => `  ${JSON.stringify(name)},`).join("\n")}
] as const;
export type StateName = (typeof stateNames)[number];

/** The parameters of each state, besides \`organization\`. */
${await printInterface(document, "StateParams", Object.fromEntries(params))}
/** The values that the setup of each state returns, besides \`organization\` and \`credentials\`. */
${await printInterface(document, "StateValues", Object.fromEntries(values))}`;
}

/** Prints an interface whose properties have these schemas, as openapi-typescript would. */
async function printInterface(
  document: StatesDocument,
  name: string,
  properties: Record<string, Schema>,
): Promise<string> {
  const schema = { type: "object", required: Object.keys(properties), properties: standAlone(document, properties) };
  const openapi = {
    openapi: "3.1.0",
    info: { title: name, version: "1" },
    components: { schemas: { [name]: schema } },
  };
  const ast = await openapiTS(JSON.stringify(openapi), {
    transform: (node) => (callerName in node ? ts.factory.createTypeReferenceNode("CallerName") : undefined),
  });
  const components = ast.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === "components");
  const literal = memberType(memberType(components, "schemas"), name);
  if (literal === undefined) throw new Error(`openapi-typescript gave no type for ${name}`);
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return astToString(ts.factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, literal.members));
}

/** Inlines references, marks names of callers, and declares objects without properties as open. */
function standAlone(document: StatesDocument, schemas: unknown): unknown {
  return mapNodes(schemas, (node) => {
    const { $ref, ...beside } = node;
    if ($ref === "#/x-types/caller") return { type: "string", [callerName]: true, ...beside };
    if (typeof $ref === "string")
      return { ...(standAlone(document, resolve(document, { $ref })) as object), ...beside };
    const open = node.type === "object" && node.properties === undefined && node.additionalProperties === undefined;
    return open ? { ...node, additionalProperties: true } : node;
  });
}

/** Returns the type literal of a property. */
function memberType(node: ts.Node | undefined, name: string): ts.TypeLiteralNode | undefined {
  if (node === undefined || !(ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))) return undefined;
  for (const member of node.members) {
    if (!ts.isPropertySignature(member) || member.type === undefined) continue;
    const named = ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? member.name.text : undefined;
    if (named === name && ts.isTypeLiteralNode(member.type)) return member.type;
  }
  return undefined;
}
