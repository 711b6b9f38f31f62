import type { ContractDocument, NotJudged } from "../contract/rest/document.js";
import { formatLintFinding } from "../lint/finding.js";
import { visibleLine } from "../text/visible-text.js";
import { printMessage } from "./print.js";

/** How many parts of a document a command names. `accord lint` names all. */
const maxNamed = 20;

/** Says of which operations traffic shows bodies that no schema judges, as `accord verify` does in its report. */
export async function warnUnjudgedBodies(document: ContractDocument): Promise<void> {
  const { unjudgedBodies } = await import("../contract/rest/unjudged.js");
  warnNotJudged(unjudgedBodies(document));
}

/** Lists on stderr the parts of a document that cannot be used and are therefore not judged. */
export function warnNotJudged(parts: readonly NotJudged[] = []): void {
  for (const part of parts.slice(0, maxNamed))
    printMessage(visibleLine(formatLintFinding({ severity: "warning", ...part })));
  if (parts.length > maxNamed)
    printMessage(`warning: ${parts.length - maxNamed} more parts are not judged; accord lint names them`);
}
