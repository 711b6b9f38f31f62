import type { RestContract } from "../../contract/rest/rest-contract.js";
import { type ContractAtLevel, contractAtLevel } from "../../verify/rest/contract-at-level.js";
import { type OperationsAtLevel, operationsAtLevel } from "./exchange/operations-at-level.js";

/** A contract as of a level, as judging traffic needs it. */
export interface TrafficAtLevel extends Pick<ContractAtLevel, "cases" | "validators"> {
  /** At most the newest. */
  readonly level: number;
  readonly operations: OperationsAtLevel;
}

/** Returns a contract as of the level of a server. */
export async function atLevel(source: RestContract, serverLevel: number): Promise<TrafficAtLevel> {
  const level = Math.min(serverLevel, source.newestLevel);
  const { contract, cases, validators } = await contractAtLevel(source, level);
  return { level, cases, validators, operations: operationsAtLevel(source.document, contract, level) };
}
