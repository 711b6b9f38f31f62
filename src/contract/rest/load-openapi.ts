import { UsageError } from "../../base/usage-error.js";
import { addCaseFiles } from "./add-case-files.js";
import { caseNotesProblems } from "./case-notes.js";
import { completeOperations } from "./complete-operations.js";
import { convertSwagger } from "./convert-swagger.js";
import type { ContractDocument } from "./document.js";
import { upgradeOpenApi } from "./upgrade-openapi.js";

/**
 * Reads an OpenAPI document of version 3.0 or 3.1, or of Swagger 2.0, with the files that it refers to and the cases beside it, as one
 * document in the form of 3.1. Each operation has an id, a summary, tags and all its parameters.
 *
 * Rejects with a `UsageError` that names the file and line if it cannot be read or an example is no case although it says so, and with the error of the import if the optional package
 * `@redocly/openapi-core` is not installed.
 */
export async function loadOpenApi(file: string): Promise<ContractDocument> {
  const bundled = completeOperations(upgradeOpenApi(await bundleOpenApi(file)));
  const { document, problems: ofCases } = addCaseFiles(bundled, file);
  const problems = [...ofCases, ...caseNotesProblems(document).map((problem) => `${file}: ${problem}`)];
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return document;
}

/** Reads an OpenAPI document with the files that it refers to as one document, otherwise as it is but for Swagger 2.0. Rejects like `loadOpenApi`. */
export async function bundleOpenApi(file: string): Promise<Readonly<Record<string, unknown>>> {
  const { bundle, createConfig, getLineColLocation } = await import("@redocly/openapi-core");
  const config = await createConfig({});
  const { bundle: bundled, problems } = await bundle({ ref: file, config }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === "Unsupported specification") throw new UsageError(`${file} ${mustBeOpenApi}`);
    throw new UsageError(`${file} cannot be read: ${reason}`);
  });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const lines = errors.map(({ message, location: [place] }) => {
      if (place === undefined) return `${file}: ${message}`;
      const { source, start } = getLineColLocation(place);
      return `${source.absoluteRef}:${start.line}:${start.col}: ${message}`;
    });
    throw new UsageError(lines.join("\n"));
  }
  const parsed: unknown = bundled.parsed;
  requireVersion(file, parsed);
  return convertSwagger(parsed);
}

const mustBeOpenApi =
  "must be an OpenAPI document of version 3.0 or 3.1, or of Swagger 2.0: an object with `openapi` and `paths`";

function requireVersion(file: string, parsed: unknown): asserts parsed is Record<string, unknown> {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${file} ${mustBeOpenApi}`);
  const { openapi, swagger } = parsed as Record<string, unknown>;
  if (swagger === "2.0") return;
  if (typeof openapi !== "string" || !/^3\.[01](\.\d+)?$/.test(openapi))
    throw new UsageError(
      `${file} must have \`openapi: 3.0.x\` or \`3.1.x\`, but has ${JSON.stringify(openapi) ?? "none"}`,
    );
}
