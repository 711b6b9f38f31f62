import { availableParallelism } from "node:os";
import type { ChatReference } from "../reference/chat/create-chat-reference.js";
import { chatContract } from "../src/chat/contract.js";
import { createProgress } from "../src/cli/create-progress.js";
import { loadDaemonContract } from "../src/daemon/daemon-contract.js";
import type { DaemonServer } from "../src/daemon/index.js";
import { verifyRest } from "../src/verify/rest/verify-rest.js";
import { verifyRpc } from "../src/verify/rpc/verify-rpc.js";
import { exitCode, formatSummary, type RunOptions, type VerifyReport } from "../src/verify.js";

/** Both reference implementations, running. */
export interface Servers {
  readonly chat: ChatReference;
  readonly daemon: DaemonServer;
  /** The daemon's log file. */
  readonly daemonLog: string;
}

/**
 * Verifies both reference implementations, with progress on standard error, and prints the summaries. Rejects if one of them breaks its
 * contract. Prints nothing about a run that `signal` stopped.
 */
export async function verifyReferences(
  { chat, daemon, daemonLog }: Servers,
  signal = new AbortController().signal,
): Promise<void> {
  const reports: VerifyReport[] = [];
  await withProgress("verify chat", signal, async (options) => {
    reports.push(
      await verifyRest(await chatContract(), {
        ...options,
        seed: 1,
        url: `${chat.url}/api/v1`,
        statesUrl: chat.statesUrl,
      }),
    );
  });
  await withProgress("verify daemon", signal, async (options) => {
    // Cases with a host that never responds take most of the time.
    reports.push(
      await verifyRpc(await loadDaemonContract(), {
        ...{ ...options, degree: "everything", jobs: 16 },
        ...{ address: daemon.addresses[0] ?? "", logFile: daemonLog },
      }),
    );
  });
  if (signal.aborted) return;
  for (const report of reports) process.stdout.write(`\n${titleOf(report)}\n\n${formatSummary(report)}`);
  const broken = reports.filter((report) => exitCode(report) !== 0).map(({ contract }) => contract);
  if (broken.length > 0) throw new Error(`verification of the reference implementation failed: ${broken.join(", ")}`);
}

async function withProgress(
  title: string,
  signal: AbortSignal,
  verify: (options: RunOptions) => Promise<void>,
): Promise<void> {
  if (signal.aborted) return;
  const progress = createProgress(process.stderr, { title });
  try {
    await verify({
      jobs: availableParallelism(),
      signal,
      onPlanned: progress.plan,
      onCheck: ({ id, outcome }) => progress.done(id, outcome.kind === "failed"),
    });
  } finally {
    progress.end();
  }
}

function titleOf({ contract, level }: VerifyReport): string {
  return `accord verify ${contract}${level === undefined ? "" : ` (feature level ${level})`}`;
}
