import { createDaemonReference } from "../../../reference/daemon/create-daemon-reference.js";

// A reference daemon in a separate process, which reports its memory in response to each message.
const { addresses } = await createDaemonReference({ allowPrivate: true });
process.on("message", () =>
  process.send?.({ rss: process.memoryUsage().rss, peak: process.resourceUsage().maxRSS * 1024 }),
);
process.on("disconnect", () => process.exit());
process.send?.({ address: addresses[0] });
