import { type Command, Option } from "commander";

/** The commands that read a document. */
const readers: ReadonlySet<string> = new Set(
  "breaking check docs generate init lint mock proxy spec verify".split(" "),
);

/** Adds `--remote` to each command that reads a document: without it, no file of another host is read. */
export function addRemoteOption(program: Command): void {
  for (const command of program.commands) if (readers.has(command.name())) addTo(command);
  program.hook("preAction", async (_, action) => {
    if (action.opts<{ remote?: true }>().remote !== true) return;
    const { allowRemoteFiles } = await import("../contract/rest/reading/document-reader.js");
    allowRemoteFiles();
  });
}

function addTo(command: Command): void {
  if (command.registeredArguments.length > 0 || command.commands.length === 0)
    command.addOption(new Option("--remote", "also read files of other hosts to which a document refers"));
  for (const child of command.commands) addTo(child);
}
