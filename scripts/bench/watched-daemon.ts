import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createDaemonReference } from "../../reference/daemon/create-daemon-reference.js";

// A reference daemon that reports, for each message, its resource usage since the previous message.
const folder = mkdtempSync(join(tmpdir(), "accord-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const daemon = await createDaemonReference({ dataFolder: folder, allowPrivate: true });
const stalls = monitorEventLoopDelay({ resolution: 1 });
stalls.enable();
process.on("SIGTERM", () => process.exit());
let cpu = process.cpuUsage();
process.on("message", () => {
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    cpuMs: (user + system) / 1000,
    maxStallMs: stalls.max / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  });
  stalls.reset();
  cpu = process.cpuUsage();
});
process.send?.({ address: daemon.addresses[0] });
