#!/usr/bin/env node
import { mockCommand } from "../../src/cli/commands/mock.js";
import { proxyCommand } from "../../src/cli/commands/proxy.js";
import { reportCommand } from "../../src/cli/commands/report.js";
import { specCommand } from "../../src/cli/commands/spec.js";
import { verifyCommand } from "../../src/cli/commands/verify.js";
import { exitCodes } from "../../src/cli/exit-codes.js";
import { runCli } from "../../src/cli/run-cli.js";
import { serveCommand } from "./serve.js";

// The reader of a pipe, such as `head`, may close it early. The command still runs to its end for the sake of its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`accord: Cannot write the output: ${error.message}\n`, () => process.exit(exitCodes.usage));
  });
}

process.exitCode = await runCli(process.argv.slice(2), [
  mockCommand(),
  serveCommand(),
  specCommand(),
  verifyCommand(),
  proxyCommand(),
  reportCommand(),
]);
