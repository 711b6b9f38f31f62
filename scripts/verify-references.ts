import { availableParallelism } from "node:os";
import type { ChatReference } from "../reference/chat/create-chat-reference.js";
import type { DaemonServer } from "../src/daemon/index.js";
import {
  exitCode,
  formatSummary,
  type RunOptions,
  type VerifyReport,
  verifyChat,
  verifyDaemon,
} from "../src/verify/index.js";

/** Both reference implementations, running. */
export interface Servers {
  readonly chat: ChatReference;
  readonly daemon: DaemonServer;
  /** The daemon's log file. */
  readonly daemonLog: string;
}

/** Verifies both reference implementations and prints the summaries. Rejects if one of them breaks its contract. */
export async function verifyReferences({ chat, daemon, daemonLog }: Servers): Promise<void> {
  const options: RunOptions = { jobs: availableParallelism() };
  const reports = [
    await verifyChat({ ...options, seed: 1, url: `${chat.url}/api/v1`, statesUrl: chat.statesUrl }),
    // A case with a host that never responds takes most of the time.
    await verifyDaemon({ ...options, jobs: 16, address: daemon.addresses[0] ?? "", logFile: daemonLog }),
  ];
  for (const report of reports) process.stdout.write(`\n${titleOf(report)}\n\n${formatSummary(report)}`);
  const broken = reports.filter((report) => exitCode(report) !== 0).map(({ contract }) => contract);
  if (broken.length > 0) throw new Error(`verification of the reference implementation failed: ${broken.join(", ")}`);
}

function titleOf({ contract, level }: VerifyReport): string {
  return `accord verify ${contract}${level === undefined ? "" : ` (feature level ${level})`}`;
}
