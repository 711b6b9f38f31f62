import { buildSite, isUpToDate } from "../site/build-site.js";
import { runScript } from "./run-script.js";

// Builds the documentation site into dist-site/. With --if-changed, only if a source is newer.
await runScript(
  async (options) => {
    if (!options.has("--if-changed") || !isUpToDate()) await buildSite();
  },
  ["--if-changed"],
);
