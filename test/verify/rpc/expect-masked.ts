import { expect } from "vitest";
import { secretsOf } from "../../../proto/checks/secrets.js";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { methodOf, type RpcContract } from "../../../src/contract/rpc/contract.js";
import { earlierCalls } from "../../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { secretsToMask } from "../../../src/judge/rpc/report-mask.js";
import { createSecretFinder } from "../../../src/secrets/find-secrets.js";

const contract = await loadDaemonContract();

/** Expects that a result shows no secret of its case. */
export function expectMasked(one: RpcCase, result: unknown): void {
  const secrets = [...(secretsOf[one.name] ?? []), ...secretsOfRequests(one, contract)];
  expect(createSecretFinder(secrets)(JSON.stringify(result))).toEqual([]);
}

/** What reports mask of the requests of a case. */
export function secretsOfRequests(one: RpcCase, { isSecret, ...about }: RpcContract): string[] {
  const calls = [{ call: one.rpc, with: one.request }, ...earlierCalls(one)];
  return [...new Set(calls.flatMap((made) => secretsToMask(methodOf(about, made.call).input, made.with, isSecret)))];
}
