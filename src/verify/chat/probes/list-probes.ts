import { listCases } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { credentialProbes, roleProbes } from "./caller-probes.js";
import { parameterProbes, randomProbes } from "./parameter-probes.js";
import type { Probe } from "./probe.js";
import { listProbedOperations, type ProbedOperation } from "./probed-operation.js";
import { referenceProbes } from "./reference-probes.js";
import { requestProbes } from "./request-probes.js";

/**
 * Lists every probe of the contract as of a level, in the order of its operations. Ids are unique and depend only on
 * the contract. An operation without cases has no probes, because there is no correct request to derive them from.
 */
export function listProbes(document: ContractDocument): Probe[] {
  return listProbedOperations(document, listCases(document)).flatMap(probesOf);
}

function probesOf(operation: ProbedOperation): Probe[] {
  return [
    ...parameterProbes(operation),
    ...requestProbes(operation),
    ...roleProbes(operation),
    ...referenceProbes(operation),
    ...randomProbes(operation),
    // Last, because a server may lock an account after wrong keys.
    ...credentialProbes(operation),
  ];
}
