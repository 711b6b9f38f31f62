import type { Check } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { credentialProbes, roleProbes } from "./caller-probes.js";
import type { CaseContext } from "./case-checks.js";
import { parameterProbes, type RandomProbe, randomProbes } from "./parameter-probes.js";
import { referenceProbes } from "./reference-probes.js";
import { requestProbes } from "./request-probes.js";

/**
 * Lists every probe of the contract as of a level, in the order of its operations. Ids are unique and depend only on
 * the contract. An operation without cases has no probes, because there is no correct request to derive them from.
 */
export function listProbes(operations: Iterable<ProbedOperation>, context: CaseContext): (Check | RandomProbe)[] {
  return [...operations].flatMap((operation) => [
    ...parameterProbes(operation, context),
    ...requestProbes(operation, context),
    ...roleProbes(operation, context),
    ...referenceProbes(operation, context),
    ...randomProbes(operation, context),
    // Last, because a server may lock an account after wrong keys.
    ...credentialProbes(operation, context),
  ]);
}

/** Whether a probe sends random requests. */
export function isRandom(check: Check | RandomProbe): check is RandomProbe {
  return "varies" in check;
}
