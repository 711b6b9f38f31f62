import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { findPackageFile } from "../../base/package-file.js";
import { UsageError } from "../../base/usage-error.js";
import { hostOption, warnBeyondLoopback } from "../host-option.js";
import { importOptional } from "../import-optional.js";
import { loadNamedContract } from "../load-contract.js";
import { integerBetween } from "../options.js";
import { projectOption } from "../project-contracts.js";
import { untilStopped } from "../stop-signals.js";

const defaultPort = 4030;

interface DocsOptions {
  readonly port: number;
  readonly host: string;
  readonly output?: string;
  readonly project?: string;
}

/** `accord docs [name]`: serve the documentation site of this package, or the page of a contract. */
export function docsCommand(): Command {
  return new Command("docs")
    .description("Serve the documentation: operations, RPCs, rules, cases, workflows, guides. Needs no network.")
    .argument("[name]", "a contract of accord.yaml (default: the site of chat and daemon)")
    .option("--port <port>", "TCP port; 0 for any free port", integerBetween(0, 65535), defaultPort)
    .addOption(hostOption())
    .option("--output <file>", "write the page of the contract into a file, and serve nothing")
    .addOption(projectOption())
    .addHelpText(
      "after",
      `
Example: accord docs museum --output museum.html`,
    )
    .action(async (name: string | undefined, { port, host, output, project }: DocsOptions) => {
      const [{ createDocsServer }, { shippedContracts }] = await Promise.all([
        import("../../http/create-docs-server.js"),
        import("../../contract/project/read-project.js"),
      ]);
      const isSite =
        project === undefined && (name === undefined || shippedContracts().some((one) => one.name === name));
      if (output !== undefined) {
        if (name === undefined) throw new UsageError("--output writes the page of one contract: name it");
        return writeFile(output, await renderDocs(name, project));
      }
      warnBeyondLoopback(host, "It serves only the documentation.");
      const folder = isSite ? undefined : await mkdtemp(join(tmpdir(), "accord-docs-"));
      try {
        if (folder !== undefined) await writeFile(join(folder, "index.html"), await renderDocs(name ?? "", project));
        const server = await createDocsServer(folder ?? findSite(), { port, host });
        await untilStopped([server], () => void process.stdout.write(`documentation  ${server.url}/\n`));
      } finally {
        if (folder !== undefined) await rm(folder, { recursive: true });
      }
    });
}

/** The page of a contract. */
async function renderDocs(name: string, project: string | undefined): Promise<string> {
  const loaded = await loadNamedContract(name, project, { runsCode: false });
  const { renderPage, restPage, rpcPage } = await importOptional("Documentation", async () => ({
    ...(await import("../../docs/page.js")),
    ...(await import("../../docs/rest-page.js")),
    ...(await import("../../docs/rpc-page.js")),
  }));
  return renderPage(loaded.kind === "rest" ? restPage(loaded.contract) : rpcPage(loaded.contract));
}

/** The folder of the built site. */
function findSite(): string {
  const startPage = findPackageFile("dist-site/index.html");
  if (startPage !== undefined) return dirname(startPage);
  throw new UsageError("The documentation is not built. In a checkout, build it with: npm run docs");
}
