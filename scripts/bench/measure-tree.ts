import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The resources of a command, including all processes that it started. */
export interface TreeUsage {
  readonly milliseconds: number;
  /** The largest sum of the memory of its processes; pages that they share count once. Undefined without `/proc`. */
  readonly maxMebibytes?: number;
}

/** How often the memory is read. */
const intervalMs = 200;

/** Runs a Node program to its end, whatever its exit code. */
export async function measureTree(args: readonly string[]): Promise<TreeUsage> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject).once("exit", () => resolve());
  });
  const peak = watchMemory(child);
  await ended;
  const milliseconds = performance.now() - start;
  const kibibytes = await peak;
  return kibibytes === 0 ? { milliseconds } : { milliseconds, maxMebibytes: kibibytes / 1024 };
}

async function watchMemory(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, memoryOf(child.pid ?? 0));
    await delay(intervalMs);
  }
  return peak;
}

/** The proportional set size of a process and its descendants, in KiB. Source: Linux, Documentation/filesystems/proc.rst. */
function memoryOf(pid: number): number {
  try {
    const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
    );
    return children.reduce((sum, one) => sum + memoryOf(Number(one)), own);
  } catch {
    // It has ended, or the system is not Linux.
    return 0;
  }
}
