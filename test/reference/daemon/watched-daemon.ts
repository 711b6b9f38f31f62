import { createDaemonReference } from "../../../reference/daemon/create-daemon-reference.js";

// A reference daemon in a process of its own, which reports its memory whenever it gets a message.
const { addresses } = await createDaemonReference({ allowPrivate: true });
process.on("message", () =>
  process.send?.({ rss: process.memoryUsage().rss, peak: process.resourceUsage().maxRSS * 1024 }),
);
process.on("disconnect", () => process.exit());
process.send?.({ address: addresses[0] });
