import { expect } from "vitest";
import type { DaemonCase } from "../../../src/contract/rpc/cases.js";
import { createSecretFinder } from "../../../src/secrets/find-secrets.js";
import { secretsToMask } from "../../../src/verify/rpc/report-mask.js";

/** Expects that a result shows no secret of its case. */
export function expectMasked(one: DaemonCase, result: unknown): void {
  expect(createSecretFinder(secretsToMask(one))(JSON.stringify(result))).toEqual([]);
}
