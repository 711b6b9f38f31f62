import { Command, CommanderError } from "commander";
import { UsageError } from "../base/usage-error.js";
import { contractVersions, packageVersion } from "../base/versions.js";
import { wrapText } from "../text/text-width.js";
import { ExitCodeError, exitCodes } from "./exit-codes.js";
import { printHelpOfContract } from "./help-of-contract.js";
import { printMessage } from "./print.js";
import { addRemoteOption } from "./remote-option.js";

/**
 * Runs `accord` with the given commands and returns its exit code: 0 for success, 1 if the command ran and failed, 2 if it could not
 * run as asked (unknown option, bad value, missing package, address or data folder in use), or that of an `ExitCodeError`. Prints
 * problems to stderr as plain text.
 */
export async function runCli(args: readonly string[], commands: readonly Command[]): Promise<number> {
  try {
    const program = createProgram(commands);
    if (await printHelpOfContract(args, commands)) return exitCodes.ok;
    await program.parseAsync([...args], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    // Commander has already printed its message. It also throws after --help and --version, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof ExitCodeError) return error.exitCode;
    const message = error instanceof Error ? error.message : String(error);
    printMessage(`accord: ${message}`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

const versionText = [
  `accord-contracts ${packageVersion}`,
  `chat contract ${contractVersions.chat}`,
  `daemon contract ${contractVersions.daemon}`,
].join("\n");

function createProgram(commands: readonly Command[]): Command {
  const program = new Command("accord")
    .description("Executable contracts: verify, mock and document a service by its contract in OpenAPI or Protobuf.")
    .version(versionText, "--version", "print the versions of this package and of the contracts that it ships")
    // Otherwise a command would take the options of the same name from its subcommands.
    .enablePositionalOptions()
    .showHelpAfterError("Run the command with --help to see what it takes.")
    .addHelpText(
      "after",
      "\nExit codes: 0 success, 1 the command ran and failed, 2 it could not run as\nrequested, 3 nothing is broken, but too few rules were exercised for a verdict.",
    );
  for (const command of commands) program.addCommand(command);
  addRemoteOption(program);
  applyCommonSettings(program);
  return program;
}

/** Wraps the paragraphs of a help text. Lines with an indentation, which are wrapped already, and commands to copy stay as they are. */
function wrapParagraphs(text: string): string {
  if (text.startsWith(versionText)) return text;
  const columns = process.stdout.columns ?? 80;
  const paragraph = /^(?![^\n]*\b(?:accord|curl) )\S[^\n]*(?:\n(?![^\n]*\b(?:accord|curl) )\S[^\n]*)*/gm;
  return text.replace(paragraph, (lines) => wrapText(lines.replaceAll("\n", " "), columns).join("\n"));
}

/** A command in the help of the one that has it: its name and arguments. */
function subcommandTerm(command: Command): string {
  return `${command.name()} ${command.usage().replace(/\[(?:options|command)\] ?/g, "")}`.trim();
}

/** Commands that are added to a program inherit none of its settings. */
function applyCommonSettings(command: Command): void {
  command.exitOverride().helpCommand(false).helpOption("--help", "print this help").configureHelp({ subcommandTerm });
  command.configureOutput({ writeOut: (text) => process.stdout.write(wrapParagraphs(text)) });
  for (const child of command.commands) applyCommonSettings(child);
}
