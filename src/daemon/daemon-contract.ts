import { readFile } from "node:fs/promises";
import { contractVersions } from "../base/versions.js";
import type { RpcCase, RpcCases } from "../contract/rpc/cases.js";
import { createRpcContract, type RpcContract } from "../contract/rpc/contract.js";
import { secretTest } from "../contract/rpc/secret-fields.js";
import { contractFiles } from "./contract-files.js";
import type { DaemonRpc } from "./daemon-methods.js";
import { protoFolder } from "./proto-folder.js";

/** The rules and cases of the daemon contract. */
export interface DaemonCases extends RpcCases {
  readonly cases: readonly (RpcCase & { readonly rpc: DaemonRpc })[];
  readonly probes: Required<RpcCases["probes"]>;
}

/** Loads the rules and cases of the daemon contract. */
export async function loadDaemonCases(): Promise<DaemonCases> {
  return JSON.parse(await readFile(new URL("../../generated/daemon/cases.json", import.meta.url), "utf8"));
}

/** Loads the daemon contract. */
export async function loadDaemonContract(): Promise<RpcContract> {
  return createRpcContract({
    ...(await loadDaemonCases()),
    name: "daemon",
    version: contractVersions.daemon,
    files: contractFiles(),
    schema: protoFolder(),
    isSecret: secretTest(contractFiles()),
    checks: new URL("../../proto/checks/", import.meta.url),
  });
}
