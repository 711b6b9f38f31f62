import { Command } from "commander";
import { UsageError } from "../../src/base/usage-error.js";
import { ExitCodeError, exitCodes } from "../../src/cli/exit-codes.js";
import { importOptional } from "../../src/cli/import-optional.js";
import type { DatabasePlace } from "../chat/storage/schema.js";
import type { SchemaState } from "../storage/sqlite-file.js";
import { databaseOption, parsePath } from "./data-options.js";

interface DatabaseOptions {
  readonly data?: string;
  readonly database?: string;
}

/** `accord database check` and `accord database migrate`: the schema of a chat server's database. */
export function databaseCommand(): Command {
  const command = new Command("database").description("Check or migrate the database of accord serve chat.");
  withPlace(command.command("check"))
    .description("Say whether the schema of a database is that of this release, without changing it.")
    .addHelpText(
      "after",
      `
Exit codes: 0 up to date, 1 older or newer than this release, 2 the database could not be read.

Example: accord database check --database postgres://accord@db.example.com/chat`,
    )
    .action(check);
  withPlace(command.command("migrate"))
    .description("Migrate the schema of a database to this release. A server does so by itself when it starts.")
    .addHelpText(
      "after",
      `
Exit codes: 0 up to date, 1 newer than this release, 2 the database could not be read or changed.

Example: accord database migrate --data ./chat-data`,
    )
    .action(migrate);
  return command;
}

function withPlace(command: Command): Command {
  return command
    .option("--data <folder>", "data folder of a server with SQLite", parsePath("a folder"))
    .addOption(databaseOption("PostgreSQL database, such as postgres://user@host/name"));
}

async function check(options: DatabaseOptions): Promise<void> {
  const { readSchema } = await loadSchema();
  const state = await readSchema(placeOf(options));
  process.stdout.write(`${describeState(state)}\n`);
  if (state.version !== state.newest) throw new ExitCodeError(exitCodes.failed);
}

async function migrate(options: DatabaseOptions): Promise<void> {
  const { readSchema, migrateSchema } = await loadSchema();
  const place = placeOf(options);
  const found = await readSchema(place);
  if (found.version > found.newest) {
    process.stdout.write(`${describeState(found)}\n`);
    throw new ExitCodeError(exitCodes.failed);
  }
  // Another process may have migrated it meanwhile.
  const before = await migrateSchema(place);
  const { version, newest } = before;
  process.stdout.write(
    version === newest ? `${describeState(before)}\n` : `Migrated from schema version ${version} to ${newest}.\n`,
  );
}

function describeState({ version, newest }: SchemaState): string {
  if (version === newest) return `Schema version ${version}: up to date.`;
  if (version > newest) {
    return `Schema version ${version} is newer than this release, which knows versions up to ${newest}. Use a newer release.`;
  }
  const found = version === 0 ? "The database is empty" : `Schema version ${version} is older than this release`;
  return `${found}; this release needs version ${newest}. Run accord database migrate, or start a server.`;
}

function placeOf({ data, database }: DatabaseOptions): DatabasePlace {
  if (data !== undefined) return { dataFolder: data };
  if (database !== undefined) return { databaseUrl: database };
  throw new UsageError("Name the database with --database URL or --data FOLDER");
}

function loadSchema() {
  return importOptional("The chat server", () => import("../chat/storage/schema.js"));
}
