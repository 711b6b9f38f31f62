import { stat } from "node:fs/promises";
import type { LoadOptions } from "../behaviour/load-rest-contract.js";
import type { RestProjectContract } from "../contract/project/project.js";
import { notJudged } from "../contract/rest/document.js";
import type { RestContract } from "../contract/rest/rest-contract.js";
import { visibleLine } from "../text/visible-text.js";
import { bytesText } from "../wire/answer-limits.js";
import { importOptional } from "./import-optional.js";
import { printMessage } from "./print.js";
import { warnNotJudged } from "./warn-not-judged.js";

/** A larger document takes seconds to read. */
const longBytes = 1024 * 1024;

/**
 * Loads a contract in OpenAPI. Rejects with a `UsageError` that names the mistakes of
 * the contract, or the missing packages.
 */
export async function restContract(project: RestProjectContract, options: LoadOptions = {}): Promise<RestContract> {
  const { loadRestContract } = await importOptional(
    "Reading a contract",
    () => import("../behaviour/load-rest-contract.js"),
  );
  const { size } = await stat(project.openapi).catch(() => ({ size: 0 }));
  if (size > longBytes) printMessage(visibleLine(`accord: reading ${project.openapi}, which has ${bytesText(size)}`));
  const contract = await loadRestContract(project, options);
  warnNotJudged(contract.document[notJudged]);
  return contract;
}
