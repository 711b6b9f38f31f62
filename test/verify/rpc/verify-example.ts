import { afterAll, beforeAll } from "vitest";
import { createDaemonReference } from "../../../reference/daemon/create-daemon-reference.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import type { DaemonServer } from "../../../src/daemon/index.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { type VerifyRpcOptions, verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { type Handlers, honestHandlers, serveExample } from "./example-daemon.js";

export const usualOptions = { jobs: 8, timeoutMs: 30_000, degree: "everything" } as const;

/** Verifies the example daemon with some handlers replaced. */
export async function verifyExample(handlers: Partial<Handlers>, options: Partial<VerifyRpcOptions> = {}) {
  const { address } = await serveExample({ ...honestHandlers(), ...handlers });
  return verifyRpc(await loadDaemonContract(), { ...usualOptions, address, ...options });
}

/** The reference daemon of a test file. */
export interface UsedReference {
  readonly verify: (options?: Partial<VerifyRpcOptions>) => Promise<VerifyReport>;
  readonly address: () => string;
}

/** Runs the reference daemon during the tests of a file. */
export function useReference(): UsedReference {
  let reference: DaemonServer;
  beforeAll(async () => {
    reference = await createDaemonReference({ allowPrivate: true });
  });
  afterAll(() => reference.close());
  const address = () => reference.addresses[0] ?? "";
  return {
    address,
    verify: async (options) =>
      verifyRpc(await loadDaemonContract(), { ...usualOptions, address: address(), ...options }),
  };
}

/** The ids of the checks of a report. */
export function ids({ checks }: Pick<VerifyReport, "checks">): string[] {
  return checks.map(({ id }) => id);
}

/** The kind of outcome of each check, by id. */
export function outcomes({ checks }: VerifyReport): Record<string, string> {
  return Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome.kind]));
}
