import { listCases } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { credentialProbes } from "./credential-probes.js";
import { foreignProbes } from "./foreign-probes.js";
import { parameterProbes } from "./parameter-probes.js";
import type { Probe } from "./probe.js";
import { listProbedOperations, type ProbedOperation } from "./probed-operation.js";
import { randomProbes } from "./random-probes.js";
import { requestProbes } from "./request-probes.js";
import { roleProbes } from "./role-probes.js";

/**
 * Every probe of the view of a level, in the order of its operations. Their ids are unique and the same whenever the view is. An operation without cases has none, since nothing says what a correct request of it is.
 */
export function listProbes(document: ContractDocument): Probe[] {
  return listProbedOperations(document, listCases(document)).flatMap(probesOf);
}

function probesOf(operation: ProbedOperation): Probe[] {
  return [
    ...parameterProbes(operation),
    ...requestProbes(operation),
    ...roleProbes(operation),
    ...foreignProbes(operation),
    ...randomProbes(operation),
    // Last, since a server may lock an account after wrong keys.
    ...credentialProbes(operation),
  ];
}
