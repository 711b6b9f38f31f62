#!/usr/bin/env node
import { exitCodes, runCli } from "./run-cli.js";

// The reader of a pipe, such as `head`, may have seen enough. The command goes on, since its exit code may be waited for.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`accord: The output cannot be written: ${error.message}\n`, () =>
      process.exit(exitCodes.usage),
    );
  });
}

process.exitCode = await runCli(process.argv.slice(2));
