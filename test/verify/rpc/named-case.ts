import { type DaemonCase, loadDaemonCases } from "../../../src/contract/rpc/cases.js";

const { cases } = await loadDaemonCases();

/** Returns the case with this name. */
export function named(name: string): DaemonCase {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}`);
  return found;
}
