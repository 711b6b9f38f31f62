import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { ContractDocument } from "../../src/contract/document.js";
import { typesProfile, unknownErrorCode } from "../../src/contract/profiles/types-profile.js";

const header = `// Written by \`npm run generate\`. Not to be edited.

declare const undocumented: unique symbol;
/**
 * An error code that the contract does not name. The brand keeps it apart from the documented codes, so that comparing \`code\`
 * with one of those narrows an error; compare it as \`String(error.code)\`.
 */
export type UnknownErrorCode = string & { readonly [undocumented]: true };

`;

/** The TypeScript types of the contract, by openapi-typescript. */
export async function typesModule(document: ContractDocument): Promise<string> {
  const reference = (name: string) => ts.factory.createTypeReferenceNode(name);
  const ast = await openapiTS(JSON.stringify(typesProfile(document)), {
    defaultNonNullable: false,
    transform: ({ format }) => {
      switch (format) {
        case "binary":
          return reference("Blob");
        case unknownErrorCode:
          return reference("UnknownErrorCode");
        default:
          return undefined;
      }
    },
  });
  return header + astToString(ast);
}
