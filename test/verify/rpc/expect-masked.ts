import { expect } from "vitest";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { createSecretFinder } from "../../../src/secrets/find-secrets.js";
import { secretsToMask } from "../../../src/verify/rpc/report-mask.js";

const contract = await loadDaemonContract();

/** Expects that a result shows no secret of its case. */
export function expectMasked(one: RpcCase, result: unknown): void {
  expect(createSecretFinder(secretsToMask(one, contract))(JSON.stringify(result))).toEqual([]);
}
