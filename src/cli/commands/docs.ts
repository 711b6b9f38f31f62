import { dirname } from "node:path";
import { Command } from "commander";
import { findPackageFile } from "../../contract/package-file.js";
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
      const { createDocsServer } = await import("../../http/create-docs-server.js");
      warnBeyondLoopback(host, "It serves only the documentation.");
      const server = await createDocsServer(findSite(), { port, host });
      await untilStopped([server], () => void process.stdout.write(`documentation  ${server.url}/\n`));
    });
}

/** The folder of the built site. */
function findSite(): string {
  const startPage = findPackageFile("dist-site/index.html");
  if (startPage !== undefined) return dirname(startPage);
  throw new UsageError("The documentation is not built. In a checkout, build it with: npm run docs");
}
