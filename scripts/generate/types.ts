import ts from "typescript";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { typesProfile, unknownErrorCode } from "../../src/contract/rest/profiles/types-profile.js";
import { openApiTypes } from "../../src/generate/openapi-types.js";

const header = `// Written by \`npm run generate\`. Not to be edited.

/**
 * Stands for an error code that the contract does not name. It is a type of its own, so that comparing \`code\` with a documented
 * code narrows an error; at run time it is a string, and is compared as \`String(error.code)\`.
 */
export declare enum UnknownErrorCode {
  Undocumented = "a code that the contract does not name",
}

`;

/** The TypeScript types of the contract, by openapi-typescript. */
export async function typesModule(document: ContractDocument): Promise<string> {
  const reference = (name: string) => ts.factory.createTypeReferenceNode(name);
  const types = await openApiTypes(typesProfile(document), {
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
  return header + types;
}
