import { writeFileSync } from "node:fs";
import Libsql from "libsql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqlite } from "../../../../reference/chat/storage/sqlite/open-sqlite.js";
import { executePostgres, type PostgresCluster, startPostgres } from "../../../../scripts/bench/postgres-cluster.js";
import { needing } from "../../../support/needing.js";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";
import { runInProcess } from "../../../support/run-in-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const { describe } = needing("postgresql");

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.stop());

describe("accord serve chat --database", () => {
  it("keeps the data in the database, for the next server", async () => {
    const url = await cluster.createDatabase("served");
    const start = () => startReferenceProcess("--database", url, "--states", "--log-level", "error");
    const first = await start();
    const setup = await setUpChat(
      { url: first.url, statesUrl: `${first.url}/states` },
      { state: "organization", params: {} },
    );
    const { email, api_key } = setup.credentials("member");
    first.child.kill("SIGTERM");
    expect(await first.finished).toMatchObject({ code: 0, stderr: "" });
    const second = await start();
    const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
    const page = await fetch(`${second.url}/api/v1/messages?anchor=newest&num_before=1&num_after=0`, { headers });
    expect(page.status).toBe(200);
    second.child.kill("SIGTERM");
    expect(await second.finished).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("accord database", () => {
  it("checks and migrates a PostgreSQL database", async () => {
    const url = await cluster.createDatabase("migrated");
    const database = (action: string) => runInProcess("database", action, "--database", url);
    expect(await database("check")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/is empty; .*needs version/),
    });
    expect(await database("migrate")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Migrated from .* 0 to/),
    });
    expect(await database("migrate")).toMatchObject({ code: 0, stdout: expect.stringMatching(/up to date\.\n$/) });
    expect(await database("check")).toEqual({ code: 0, stdout: expect.stringMatching(/up to date\.\n$/), stderr: "" });
    await executePostgres(url, "update accord_schema set version = version + 1");
    for (const action of ["check", "migrate"]) {
      expect(await database(action)).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/newer than this release/),
      });
    }
  });

  it("checks and migrates a data folder", async () => {
    using folder = temporaryFolder();
    const database = (action: string) => runInProcess("database", action, "--data", folder.path);
    expect(await database("check")).toMatchObject({ code: 2, stderr: expect.stringMatching(/has no chat\.db/) });
    writeFileSync(folder.inside("chat.db"), "");
    expect(await database("check")).toMatchObject({ code: 1, stdout: expect.stringMatching(/is empty/) });
    expect(await database("migrate")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Migrated/) });
    const opened = openSqlite(folder.path);
    // A running server does not prevent the check, only the migration.
    expect(await database("check")).toMatchObject({ code: 0 });
    expect(await database("migrate")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/used by another server/),
    });
    await opened.close();
    const file = new Libsql(folder.inside("chat.db"));
    const [{ user_version: version }] = file.pragma("user_version") as [{ user_version: number }];
    file.exec(`pragma user_version = ${version + 1}`);
    file.close();
    expect(await database("check")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/newer than this release/),
    });
  });

  it("refuses a file that is not a database", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.inside("chat.db"), "no database at all".repeat(100));
    for (const action of ["check", "migrate"]) {
      const ended = await runInProcess("database", action, "--data", folder.path);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/is not a database/) });
    }
  });

  it("fails with code 2 if the database cannot be reached or is not named", async () => {
    expect(await runInProcess("database", "check", "--database", "postgres://accord@127.0.0.1:1/chat")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot be used: .*ECONNREFUSED/),
    });
    expect(await runInProcess("database", "check")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--database/),
    });
  });
});
