import { buildSite } from "../site/build-site.js";
import { runScript } from "./run-script.js";

// Builds the documentation site into dist-site/.
await runScript(buildSite);
