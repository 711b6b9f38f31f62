import { readFile } from "node:fs/promises";
import type { DaemonCases } from "./daemon-case.js";

/** The rules and cases of the RPC contract. */
export async function loadDaemonCases(): Promise<DaemonCases> {
  return JSON.parse(await readFile(new URL("../../../generated/daemon/cases.json", import.meta.url), "utf8"));
}
