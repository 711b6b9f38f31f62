import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { findPackageFile } from "../../base/package-file.js";
import { UsageError } from "../../base/usage-error.js";
import type { RestProjectContract } from "../../contract/project/project.js";
import { hostOption, warnBeyondLoopback } from "../host-option.js";
import { integerBetween } from "../options.js";
import { projectContracts, projectOption } from "../project-contracts.js";
import { untilStopped } from "../stop-signals.js";
import { warnNotJudged } from "../warn-not-judged.js";

const defaultPort = 4030;

interface DocsOptions {
  readonly port: number;
  readonly host: string;
  readonly project?: string;
}

/** `accord docs [name]`: serve the documentation site of this package, or a page for a contract of a project. */
export function docsCommand(): Command {
  return new Command("docs")
    .description("Serve the documentation: operations, RPCs, rules, cases, workflows, guides.")
    .argument("[name]", "a contract of accord.yaml in OpenAPI, which needs @redocly/cli (default: chat and daemon)")
    .option("--port <port>", "TCP port; 0 for any free port", integerBetween(0, 65535), defaultPort)
    .addOption(hostOption())
    .addOption(projectOption())
    .addHelpText(
      "after",
      `
The site of chat and daemon needs no network. The page of a contract of accord.yaml loads a script from cdn.redocly.com.

Example: accord docs --port 8080`,
    )
    .action(async (name: string | undefined, { port, host, project }: DocsOptions) => {
      const [{ createDocsServer }, { shippedContracts }] = await Promise.all([
        import("../../http/create-docs-server.js"),
        import("../../contract/project/read-project.js"),
      ]);
      warnBeyondLoopback(host, "It serves only the documentation.");
      const isShipped = project === undefined && shippedContracts().some((contract) => contract.name === name);
      const folder = name === undefined || isShipped ? undefined : await mkdtemp(join(tmpdir(), "accord-docs-"));
      try {
        if (folder !== undefined) await buildPage(name, project, folder);
        const server = await createDocsServer(folder === undefined ? findSite() : join(folder, "page"), { port, host });
        await untilStopped([server], () => void process.stdout.write(`documentation  ${server.url}/\n`));
      } finally {
        if (folder !== undefined) await rm(folder, { recursive: true });
      }
    });
}

/** Writes the page of a contract. */
async function buildPage(name: string | undefined, project: string | undefined, folder: string): Promise<void> {
  const { runRedocly } = await import("../../base/run-redocly.js");
  const [contract] = await projectContracts(name, project);
  if (contract?.kind !== "rest")
    throw new UsageError(`${name} is in Protobuf, which accord docs does not show: use for instance protoc-gen-doc`);
  const { openapi }: RestProjectContract = contract;
  const { readOpenApi } = await import("../../contract/rest/load-openapi.js");
  const { document, notJudged } = await readOpenApi(openapi);
  warnNotJudged(notJudged);
  // Redocly would fetch what the document names, and run the plugins, which are programs, of a redocly.yaml beside it.
  const [bundled, config] = [join(folder, "openapi.json"), join(folder, "redocly.yaml")];
  await Promise.all([writeFile(bundled, JSON.stringify(document)), writeFile(config, "extends: [minimal]\n")]);
  const output = join(folder, "page", "index.html");
  const { ok, stdout, stderr } = await runRedocly("build-docs", bundled, "--config", config, "--output", output);
  if (!ok) throw new UsageError(`Redocly cannot document ${openapi}:\n${stderr}${stdout}`);
}

/** The folder of the built site. */
function findSite(): string {
  const startPage = findPackageFile("dist-site/index.html");
  if (startPage !== undefined) return dirname(startPage);
  throw new UsageError("The documentation is not built. In a checkout, build it with: npm run docs");
}
