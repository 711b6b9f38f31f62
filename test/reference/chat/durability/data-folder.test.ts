import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import Libsql from "libsql";
import { describe, expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { DataFolderError } from "../../../../reference/storage/errors.js";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";
import { runAccord } from "../../../support/run-accord.js";

type Folder = ReturnType<typeof temporaryFolder>;

/** Changes the database of the folder with SQL, creating it if missing. */
function change(folder: Folder, sql: string): void {
  const connection = new Libsql(folder.inside("chat.db"));
  connection.exec(sql);
  connection.close();
}

/** Creates a database with a wrong schema version. */
function damage(folder: Folder, version: number): void {
  change(folder, `${ours}; create table realm (x); pragma user_version = ${version}`);
}

const ours = "pragma application_id = 0x63686174";

describe("an unusable data folder", () => {
  it.each<[what: string, prepare: (folder: Folder) => void, message: RegExp]>([
    ["a newer schema", (folder) => change(folder, `${ours}; pragma user_version = 1000`), /version 1000.*newer server/],
    [
      "another program's, with a version",
      (folder) => change(folder, "create table t (x); pragma user_version = 1"),
      /another program; choose another/,
    ],
    ["another program's, with a mark", (folder) => change(folder, "pragma application_id = 7"), /another program/],
    ["another program's, with tables alone", (folder) => change(folder, "create table t (x)"), /another program/],
    [
      "a file of another format",
      (folder) => writeFileSync(folder.inside("chat.db"), "x".repeat(5000)),
      /not a database; choose another/,
    ],
    [
      "a folder in place of the file",
      (folder) => mkdirSync(folder.inside("chat.db")),
      /chat\.db is a folder, not a database; move it away/,
    ],
    [
      "a schema version of 0",
      (folder) => damage(folder, 0),
      /damaged: its schema version is 0; restore it from a backup/,
    ],
    ["a schema version of -1", (folder) => damage(folder, -1), /damaged: its schema version is -1; restore it/],
  ])("is refused: %s", async (_, prepare, message) => {
    using folder = temporaryFolder();
    prepare(folder);
    const refused = createChatReference({ dataFolder: folder.path });
    await expect(refused).rejects.toThrow(DataFolderError);
    await expect(refused).rejects.toThrow(message);
  });

  it("is refused: a file in place of the folder", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.inside("file"), "");
    const refused = createChatReference({ dataFolder: folder.inside("file") });
    await expect(refused).rejects.toThrow(DataFolderError);
    await expect(refused).rejects.toThrow(/file is not a folder; choose another data folder/);
  });

  it("is refused: no write permission", async () => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o500);
    // File modes do not restrict root, but sysfs does.
    const dataFolder = process.getuid?.() === 0 ? "/sys/accord" : folder.path;
    await expect(createChatReference({ dataFolder })).rejects.toThrow(DataFolderError);
    chmodSync(folder.path, 0o700);
  });

  it("is left unchanged if it is another program's", async () => {
    using folder = temporaryFolder();
    change(folder, "create table t (x); insert into t values (42)");
    await expect(createChatReference({ dataFolder: folder.path })).rejects.toThrow("another program");
    const connection = new Libsql(folder.inside("chat.db"));
    expect(connection.prepare("select x from t").all()).toEqual([{ x: 42 }]);
    expect(connection.pragma("journal_mode")).toEqual([{ journal_mode: "delete" }]);
    connection.close();
  });

  it("makes the command exit with 2 and one line of error if another process uses it, until that one is killed", async () => {
    using folder = temporaryFolder();
    const first = await startReferenceProcess("--data", folder.path);
    const second = await runAccord("serve", "chat", "--port", "0", "--data", folder.path);
    expect(second).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `accord: ${folder.path} is used by another server; stop that one, or choose another folder\n`,
    });
    first.child.kill("SIGKILL");
    await first.finished;
    const third = await startReferenceProcess("--data", folder.path);
    third.child.kill("SIGTERM");
    expect(await third.finished).toMatchObject({ code: 0 });
  });
});

describe("a data folder", () => {
  it("is readable only by its owner", async () => {
    using folder = temporaryFolder();
    const data = folder.inside("new/data");
    const server = await createChatReference({ dataFolder: data });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const names = ["", "/chat.db", "/chat.db-wal", "/spool"];
    expect(names.map((name) => statSync(data + name).mode & 0o077)).toEqual(names.map(() => 0));
    await server.close();
  });

  it("can be reused in the same process only after the server has closed", async () => {
    using folder = temporaryFolder();
    const first = await createChatReference({ dataFolder: folder.path });
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    await expect(createChatReference({ dataFolder: folder.path })).rejects.toThrow("used by another server");
    await first.close();
    const second = await createChatReference({ dataFolder: folder.path });
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
    await second.close();
  });
});
