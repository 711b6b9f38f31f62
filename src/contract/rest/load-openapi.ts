import { UsageError } from "../../base/usage-error.js";
import { addCaseFiles } from "./add-case-files.js";
import { caseNotesProblems } from "./case-notes.js";
import { completeOperations } from "./complete-operations.js";
import { convertSwagger } from "./convert-swagger.js";
import { type ContractDocument, type NotJudged, notJudged } from "./document.js";
import { createDocumentReader } from "./reading/document-reader.js";
import { unescapeData } from "./reading/escape-data.js";
import { describeSpots } from "./reading/not-judged.js";
import { usableParts } from "./reading/usable-parts.js";
import { upgradeFrom32 } from "./upgrade-from-32.js";
import { upgradeOpenApi } from "./upgrade-openapi.js";

/** A document, and its parts that cannot be used, so that nothing is judged by them. */
export interface ReadDocument {
  readonly document: Readonly<Record<string, unknown>>;
  readonly notJudged: readonly NotJudged[];
}

/**
 * Reads an OpenAPI document of version 3.0, 3.1 or 3.2, or of Swagger 2.0, with the files that it refers to and the cases beside it, as one
 * document in the form of 3.1. Each operation has an id, a summary, tags and all its parameters.
 *
 * Rejects with a `UsageError` that names the file and line if it cannot be read or an example is no case although it says so, and with the error of the import if the optional package
 * `@redocly/openapi-core` is not installed.
 */
export async function loadOpenApi(file: string): Promise<ContractDocument> {
  const read = await readOpenApi(file);
  const { document, problems: ofCases } = addCaseFiles(
    completeOperations(upgradeOpenApi(upgradeFrom32(read.document))),
    file,
  );
  const problems = [...ofCases, ...caseNotesProblems(document).map((problem) => `${file}: ${problem}`)];
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return { ...document, [notJudged]: read.notJudged };
}

/**
 * Reads an OpenAPI document with the files that it refers to as one document, without the parts that cannot be used, otherwise as it is but
 * for Swagger 2.0. Rejects like `loadOpenApi`.
 */
export async function readOpenApi(file: string): Promise<ReadDocument> {
  const { bundle, createConfig } = await import("@redocly/openapi-core");
  const reader = await createDocumentReader();
  const config = await createConfig({});
  const { bundle: bundled } = await bundle({ ref: file, config, externalRefResolver: reader }).catch(
    (error: unknown) => {
      if (error instanceof RangeError)
        throw new UsageError(`${file} cannot be read: it is nested too deep, or its references are`);
      // The other lines repeat the file.
      const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
      if (reason === "Unsupported specification") throw new UsageError(`${file} ${mustBeOpenApi}`);
      throw new UsageError(`${file} cannot be read: ${reason}`);
    },
  );
  const parsed: unknown = bundled.parsed;
  requireVersion(file, parsed);
  const { document, spots } = usableParts(await convertSwagger(parsed));
  return {
    document: unescapeData(document) as ReadDocument["document"],
    notJudged: await describeSpots(spots, document, reader),
  };
}

const mustBeOpenApi =
  "must be an OpenAPI document of version 3.0, 3.1 or 3.2, or of Swagger 2.0: an object with `openapi` and `paths`";

function requireVersion(file: string, parsed: unknown): asserts parsed is Record<string, unknown> {
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${file} ${mustBeOpenApi}`);
  const { openapi, swagger } = parsed as Record<string, unknown>;
  if (swagger === "2.0") return;
  if (typeof openapi !== "string" || !/^3\.[012](\.\d+)?$/.test(openapi))
    throw new UsageError(
      `${file} must have \`openapi: 3.0.x\`, \`3.1.x\` or \`3.2.x\`, but has ${JSON.stringify(openapi) ?? "none"}`,
    );
}
