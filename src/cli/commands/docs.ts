import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { UsageError } from "../../usage-error.js";
import { hostOption, warnBeyondLoopback } from "../host-option.js";
import { integerBetween } from "../options.js";
import { untilStopped } from "../stop-signals.js";

const defaultPort = 4030;

/** `accord docs`: serve the documentation site of this package. */
export function docsCommand(): Command {
  return new Command("docs")
    .description("Serve the documentation: operations, RPCs, rules, cases, workflows, guides. Needs no network.")
    .option("--port <port>", "TCP port; 0 for any free port", integerBetween(0, 65535), defaultPort)
    .addOption(hostOption())
    .addHelpText("after", "\nExample: accord docs --port 8080")
    .action(async ({ port, host }: { port: number; host: string }) => {
      const { createDocsServer } = await import("../../docs/create-docs-server.js");
      warnBeyondLoopback(host, "It serves only the documentation.");
      const server = await createDocsServer(findSite(), { port, host });
      await untilStopped([server], () => void process.stdout.write(`documentation  ${server.url}/\n`));
    });
}

/** The folder of the built site: three folders up in a checkout, and four in the built package. */
function findSite(): string {
  for (const path of ["../../../dist-site", "../../../../dist-site"]) {
    const folder = fileURLToPath(new URL(path, import.meta.url));
    if (existsSync(`${folder}/index.html`)) return folder;
  }
  throw new UsageError("The documentation is not built. In a checkout, build it with: npm run docs");
}
