#!/usr/bin/env node
import { runCli } from "./run-cli.js";

// The reader of a pipe, such as `head`, may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2));
