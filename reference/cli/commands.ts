import type { Command } from "commander";
import { breakingCommand } from "../../src/cli/commands/breaking.js";
import { checkCommand } from "../../src/cli/commands/check.js";
import { docsCommand } from "../../src/cli/commands/docs.js";
import { generateCommand } from "../../src/cli/commands/generate.js";
import { initCommand } from "../../src/cli/commands/init.js";
import { lintCommand } from "../../src/cli/commands/lint.js";
import { mockCommand } from "../../src/cli/commands/mock.js";
import { proxyCommand } from "../../src/cli/commands/proxy.js";
import { reportCommand } from "../../src/cli/commands/report.js";
import { specCommand } from "../../src/cli/commands/spec.js";
import { verifyCommand } from "../../src/cli/commands/verify.js";
import { databaseCommand } from "./database.js";
import { serveCommand } from "./serve.js";

/** Creates all commands of `accord`, in the order of `--help`. */
export function createCommands(): Command[] {
  return [
    initCommand(),
    lintCommand(),
    generateCommand(),
    breakingCommand(),
    mockCommand(),
    serveCommand(),
    databaseCommand(),
    specCommand(),
    verifyCommand(),
    proxyCommand(),
    checkCommand(),
    reportCommand(),
    docsCommand(),
  ];
}
