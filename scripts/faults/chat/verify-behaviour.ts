import { newestLevel } from "../../../generated/chat/request-levels.js";
import { CouldNotRunError } from "../../../src/base/could-not-run-error.js";
import { chatContract } from "../../../src/chat/contract.js";
import type { CheckResult } from "../../../src/report/model/check-result.js";
import type { Shard } from "../../../src/verify/create-selection.js";
import { verifyRest } from "../../../src/verify/rest/verify-rest.js";
import type { Behaviour } from "./behaviour.js";
import { startFaultProxy } from "./create-fault-proxy.js";

/** Options of a verification. */
export interface VerifyOptions {
  /** Defaults to all checks. */
  readonly only?: readonly string[];
  /** Defaults to 1. */
  readonly jobs?: number;
  /** Stops at the first failed check. Defaults to false. */
  readonly bail?: boolean;
  /** Verifies only this part of the checks. */
  readonly shard?: Shard;
}

/** Verifies a reference server behind a behaviour and returns every check. Throws an error of the behaviour itself. */
export async function verifyBehaviour(
  behaviour: Behaviour,
  reference: { readonly url: string },
  { only, shard, jobs = 1, bail = false }: VerifyOptions = {},
): Promise<readonly CheckResult[]> {
  const { url, statesUrl, failures, close } = await startFaultProxy(reference.url, behaviour);
  try {
    const selection = { ...(only && { only }), ...(shard && { shard }) };
    const options = { url: `${url}/api/v1`, statesUrl, jobs, bail, seed: 1, timeoutMs: 60_000, ...selection };
    const { checks } = await verifyRest(await chatContract(), options).catch(async (error: unknown) => {
      if (!(error instanceof CouldNotRunError && error.message.includes("--feature-level"))) throw error;
      // The server hides its settings, which contain its level.
      return verifyRest(await chatContract(), { ...options, level: newestLevel });
    });
    if (failures.length > 0) throw failures[0];
    return checks;
  } finally {
    await close();
  }
}
