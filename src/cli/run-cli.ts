import { Command, CommanderError } from "commander";
import { readPackage } from "../read-package.js";
import { UsageError } from "../usage-error.js";
import { visibleText } from "../verify/report/visible-text.js";
import { mockCommand } from "./commands/mock.js";
import { serveCommand } from "./commands/serve.js";
import { specCommand } from "./commands/spec.js";
import { verifyCommand } from "./commands/verify.js";
import { ExitCodeError } from "./exit-codes.js";

/** What the exit codes of `accord` mean. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;

/**
 * Runs the command line and gives the exit code: 0 when all went well, 1 when the command ran and failed, 2 when it could not
 * run as asked (unknown option, wrong value, missing package, address or data folder in use). Problems go to stderr as one plain message.
 */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync([...args], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    // Commander has printed its own message by now; help and version arrive here with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof ExitCodeError) return error.exitCode;
    // A message may quote what a server has sent.
    process.stderr.write(`accord: ${visibleText(error instanceof Error ? error.message : String(error))}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

function createProgram(): Command {
  const program = new Command("accord")
    .description("Executable contracts of a team-chat REST API and a proxy daemon's gRPC interface.")
    .version(readPackage()?.version ?? "unknown", "--version", "print the version")
    .helpOption("--help", "print this help")
    .helpCommand(false)
    .showHelpAfterError("Run the command with --help to see what it takes.")
    .addHelpText("after", "\nExit codes: 0 all went well, 1 the command ran and failed, 2 it could not run as asked.")
    .addCommand(mockCommand())
    .addCommand(serveCommand())
    .addCommand(specCommand())
    .addCommand(verifyCommand());
  return overrideExit(program);
}

/** Subcommands made on their own do not inherit this from the program. */
function overrideExit(command: Command): Command {
  command.exitOverride().helpOption("--help", "print this help");
  for (const child of command.commands) overrideExit(child);
  return command;
}
