import { readdirSync, statSync } from "node:fs";
import Libsql from "libsql";
import { describe, expect, it } from "vitest";
import { createDaemonReference } from "../../../../reference/daemon/create-daemon-reference.js";
import { DataFolderError } from "../../../../reference/storage/errors.js";
import { startDaemonProcess } from "../../../support/daemon-process.js";
import { temporaryFolder } from "../../../support/reference-process.js";
import { runAccord } from "../../../support/run-accord.js";

describe("the data folder of a daemon", () => {
  it("can be used by only one daemon at a time, across processes", async () => {
    using folder = temporaryFolder();
    const daemon = await startDaemonProcess(folder.inside("a.sock"), "--data", folder.inside("data"));
    await expect(createDaemonReference({ dataFolder: folder.inside("data") })).rejects.toThrow(DataFolderError);
    const second = await runAccord(
      "serve",
      "daemon",
      "--socket",
      folder.inside("b.sock"),
      "--data",
      folder.inside("data"),
    );
    expect(second).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is used by another server") });
    expect(readdirSync(folder.path)).not.toContain("b.sock");
    daemon.child.kill("SIGTERM");
    expect(await daemon.finished).toMatchObject({ code: 0 });
    const next = await createDaemonReference({ dataFolder: folder.inside("data") });
    await next.close();
  });

  it("is private to its owner like the socket, which is removed on close", async () => {
    using folder = temporaryFolder();
    const daemon = await createDaemonReference({ dataFolder: folder.inside("data"), socket: folder.inside("d.sock") });
    const modes = ["data", "data/daemon.db", "data/daemon.db-wal", "d.sock"].map(
      (name) => statSync(folder.inside(name)).mode,
    );
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(["700", "600", "600", "600"]);
    await daemon.close();
    expect(readdirSync(folder.path)).toEqual(["data"]);
  });

  it("is refused unchanged if it belongs to the chat server", async () => {
    using folder = temporaryFolder();
    const connection = new Libsql(folder.inside("daemon.db"));
    connection.exec("create table t (x); pragma application_id = 0x63686174; pragma user_version = 1");
    connection.close();
    await expect(createDaemonReference({ dataFolder: folder.path })).rejects.toThrow("belongs to another program");
    expect(readdirSync(folder.path)).toEqual(["daemon.db"]);
  });
});
