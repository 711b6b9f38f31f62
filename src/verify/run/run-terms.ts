import type { Depth } from "../../contract/check.js";
import type { Degree } from "../../report/model/degree.js";
import type { ClientCertificate } from "../../wire/client-certificate.js";
import { createPace, type Pace } from "../pace.js";
import { type RunOptions, resolveRunOptions } from "../run-options.js";
import { statesEndpoint } from "../states/states-endpoint.js";
import { type DerivedPlan, defaultDepth } from "./at-depth.js";

/** Options of a run against a server, whatever the kind of contract. */
export interface ServerOptions extends RunOptions {
  /** The URL for setups of provider states. Without it, checks that need them are skipped. */
  readonly statesUrl?: string;
  /** How much to try of what follows from the contract alone. Defaults to `normal`. */
  readonly depth?: Depth;
  /** Called before the first check if the run sends derived checks. */
  readonly onDerived?: (plan: DerivedPlan) => void;
  /** Shown to the server if it asks for one. */
  readonly certificate?: ClientCertificate;
  /** Headers of every request, or metadata of every call, such as `X-Tenant: acme`. What looks like a credential is masked. */
  readonly headers?: readonly string[];
}

/** The options of a run with the defaults filled in, and what follows from them. */
export interface RunTerms {
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly restartWaitMs: number;
  readonly pace: Pace | undefined;
  /** The exclusions of the contract and of the options. */
  readonly exclude: readonly string[];
  readonly statesUrl: string | undefined;
  readonly degree: Degree;
  readonly depth: Depth;
}

/** Resolves the options of a run. Throws a `CouldNotRunError` if one is out of bounds. */
export function runTerms(contract: { readonly exclude?: readonly string[] }, options: ServerOptions): RunTerms {
  const { jobs, timeoutMs, restartWaitMs } = resolveRunOptions(options);
  const { statesUrl, degree = "reads", depth = defaultDepth } = options;
  return {
    ...{ jobs, timeoutMs, restartWaitMs, depth, pace: createPace(options.rate) },
    exclude: [...(contract.exclude ?? []), ...(options.exclude ?? [])],
    statesUrl: statesUrl === undefined ? undefined : statesEndpoint(statesUrl),
    degree: statesUrl === undefined ? degree : "everything",
  };
}
