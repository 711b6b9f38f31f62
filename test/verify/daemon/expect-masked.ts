import { expect } from "vitest";
import type { DaemonCase } from "../../../src/contract/daemon/cases.js";
import { createSecretFinder } from "../../../src/secrets/find-secrets.js";
import { secretsToMask } from "../../../src/verify/daemon/report-mask.js";
import type { CaseResult } from "../../../src/verify/daemon/run-daemon-case.js";

/** Expects that a result shows no secret of its case. */
export function expectMasked(one: DaemonCase, result: CaseResult): void {
  expect(createSecretFinder(secretsToMask(one))(JSON.stringify(result))).toEqual([]);
}
