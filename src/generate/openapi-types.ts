import type { OpenAPITSOptions } from "openapi-typescript";
import { missingPackage } from "../missing-package.js";
import { MissingPeerError } from "../missing-peer-error.js";

/** Prints the TypeScript types of an OpenAPI document. Rejects with a `MissingPeerError` if openapi-typescript is not installed. */
export async function openApiTypes(document: object, options: OpenAPITSOptions = {}): Promise<string> {
  const { default: openapiTS, astToString } = await import("openapi-typescript").catch((error: unknown) => {
    if (missingPackage(error) === undefined) throw error;
    throw new MissingPeerError("The generation of TypeScript types", "openapi-typescript", "typescript");
  });
  return astToString(await openapiTS(JSON.stringify(document), options));
}
