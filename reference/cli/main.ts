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

/** The commands that run the checks of a folder. */
const runsChecks: ReadonlySet<string> = new Set(["lint", "verify"]);

let isOver = false;
process.once("exit", () => {
  if (isOver) return;
  process.stderr.write("accord: Something ended the command before it had a result.\n");
  process.exitCode = exitCodes.usage;
});

// With `await`, Node would end with its own code 13, and no word, if nothing is left to wait for.
void runCli(process.argv.slice(2), createCommands()).then((code) => {
  isOver = true;
  process.exitCode = code;
  // Code of checks could keep the process, or end it in another way, after the verdict.
  if (runsChecks.has(process.argv[2] ?? ""))
    process.stdout.write("", () => process.stderr.write("", () => process.exit()));
});
