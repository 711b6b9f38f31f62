#!/usr/bin/env node
import { exitCodes } from "../../src/cli/exit-codes.js";
import { runCli } from "../../src/cli/run-cli.js";
import { createCommands } from "./commands.js";

// The reader of a pipe, such as `head`, may close it early. The command still runs to its end, because its exit code
// matters.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`accord: Cannot write the output: ${error.message}\n`, () => process.exit(exitCodes.usage));
  });
}

process.exitCode = await runCli(process.argv.slice(2), createCommands());
