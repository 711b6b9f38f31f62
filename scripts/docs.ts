import { isUpToDate } from "../site/is-up-to-date.js";
import { runScript } from "./run-script.js";

// Builds the documentation site into dist-site/. With --if-changed, only if a source is newer.
await runScript(
  async (options) => {
    if (options.has("--if-changed") && isUpToDate()) return;
    // Loading VitePress takes longer than the comparison.
    const { buildSite } = await import("../site/build-site.js");
    await buildSite();
  },
  ["--if-changed"],
);
