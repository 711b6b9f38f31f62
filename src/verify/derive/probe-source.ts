import type { Check } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { CaseContext } from "./case-checks.js";
import { listProbes } from "./list-probes.js";
import type { RandomProbe } from "./parameter-probes.js";

/** A check that follows from the schemas of an operation. */
export type Probe = Check | RandomProbe;

/** The probes of a contract, in the order of its operations. They are derived when they are needed. */
export interface ProbeSource extends Iterable<Probe> {
  /** Those of an operation, by their ids. */
  readonly of: (operationId: string) => ReadonlyMap<string, Probe>;
}

/** How many probes are kept. The rest is derived again when it is needed: those of thousands of operations would take gigabytes. */
const keptProbes = 30_000;

/** Creates the source of the probes of those operations for which `isMeant` returns true. */
export function createProbeSource(
  operations: ReadonlyMap<string, ProbedOperation>,
  context: CaseContext,
  isMeant: (operation: ProbedOperation) => boolean = () => true,
): ProbeSource {
  const kept = new Map<string, ReadonlyMap<string, Probe>>();
  let count = 0;
  const of = (operationId: string) => {
    const known = kept.get(operationId);
    if (known !== undefined) return known;
    const operation = operations.get(operationId);
    const listed = operation === undefined || !isMeant(operation) ? [] : listProbes([operation], context);
    const probes = new Map(listed.map((one) => [one.id, one]));
    kept.set(operationId, probes);
    count += probes.size;
    for (const [oldest, { size }] of kept) {
      if (count <= keptProbes || oldest === operationId) break;
      kept.delete(oldest);
      count -= size;
    }
    return probes;
  };
  return {
    of,
    *[Symbol.iterator]() {
      for (const id of operations.keys()) yield* of(id).values();
    },
  };
}
