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

/** Both reference implementations, listening. */
export interface Servers {
  readonly chat: ChatReference;
  readonly daemon: DaemonServer;
  /** The file to which the daemon logs. */
  readonly daemonLog: string;
}

/** Verifies both reference implementations and prints the summaries. Rejects when one of them breaks its contract. */
export async function verifyReferences({ chat, daemon, daemonLog }: Servers): Promise<void> {
  const options: RunOptions = { jobs: availableParallelism() };
  const reports = [
    await verifyChat({ ...options, seed: 1, url: `${chat.url}/api/v1`, statesUrl: chat.statesUrl }),
    // Most of its time goes to a host that never answers.
    await verifyDaemon({ ...options, jobs: 16, address: daemon.addresses[0] ?? "", logFile: daemonLog }),
  ];
  for (const report of reports) process.stdout.write(`\n${titleOf(report)}\n\n${formatSummary(report)}`);
  const broken = reports.filter((report) => exitCode(report) !== 0).map(({ contract }) => contract);
  if (broken.length > 0) throw new Error(`the reference implementation is not verified: ${broken.join(", ")}`);
}

function titleOf({ contract, level }: VerifyReport): string {
  return `accord verify ${contract}${level === undefined ? "" : ` (feature level ${level})`}`;
}
