import { missingPackage } from "../base/missing-package.js";
import { MissingPeerError } from "../base/missing-peer-error.js";

type Options = NonNullable<Parameters<typeof import("openapi-typescript").default>[1]>;

/** Prints the TypeScript types of an OpenAPI document. Rejects with a `MissingPeerError` if openapi-typescript is not installed. */
export async function openApiTypes(document: object, options: Options = {}): Promise<string> {
  const { default: openapiTS, astToString } = await import("openapi-typescript").catch((error: unknown) => {
    if (missingPackage(error) === undefined) throw error;
    throw new MissingPeerError("The generation of TypeScript types", "openapi-typescript", "typescript");
  });
  return astToString(await openapiTS(JSON.stringify(document), options));
}

/** Makes files `Blob`s in the types of a document. */
export async function fileTypes(): Promise<Options> {
  const { default: ts } = await import("typescript").catch((error: unknown) => {
    if (missingPackage(error) === undefined) throw error;
    throw new MissingPeerError("The generation of TypeScript types", "openapi-typescript", "typescript");
  });
  const blob = ts.factory.createTypeReferenceNode("Blob");
  return { silent: true, defaultNonNullable: false, transform: (schema) => (isFile(schema) ? blob : undefined) };
}

/** Whether a schema stands for bytes. Source: OpenAPI 3.0, "Considerations for File Uploads"; 3.1 has media types instead. */
function isFile(schema: { readonly format?: string }): boolean {
  const { contentMediaType, contentEncoding } = schema as { contentMediaType?: string; contentEncoding?: string };
  return schema.format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
}
