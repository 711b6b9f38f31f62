import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";

const { cases } = await loadDaemonCases();

/** Returns the case with this name. */
export function named(name: string): RpcCase {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}`);
  return found;
}
