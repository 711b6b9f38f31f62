import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./free-port.js";

/** A separate PostgreSQL server, which is removed at the end. */
export interface PostgresCluster {
  readonly port: number;
  /** Creates a database. Returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Kills the server at once (SIGKILL to its main process, which ends the others). */
  readonly kill: () => void;
  /** Starts the server again after `kill`. */
  readonly restart: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Starts a PostgreSQL server in a temporary folder. Without `durable`, commits do not wait for the disk. Throws if PostgreSQL is not
 * installed; `.ci/install` installs it.
 */
export async function startPostgres({
  durable = false,
}: {
  readonly durable?: boolean;
} = {}): Promise<PostgresCluster> {
  const binaries = binariesFolder();
  const folder = mkdtempSync(join(tmpdir(), "accord-postgres-"));
  const data = join(folder, "data");
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? userIds("postgres") : undefined;
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, ...args: string[]) => {
    const result = spawnSync(join(binaries, program), args, { ...owner, cwd: folder, encoding: "utf8" });
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr}${result.stdout}`);
  };
  run("initdb", "-D", data, "-U", "accord", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync");
  const port = await freePort();
  const settings = [`port = ${port}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${folder}'`];
  const fast = durable ? [] : ["fsync = off", "synchronous_commit = off", "full_page_writes = off"];
  writeFileSync(join(data, "postgresql.auto.conf"), [...settings, ...fast, "max_connections = 200", ""].join("\n"));
  const start = () => run("pg_ctl", "start", "-w", "-D", data, "-l", join(folder, "log"));
  const stop = (mode: "fast" | "immediate") => run("pg_ctl", "stop", "-w", "-m", mode, "-D", data);
  start();
  return {
    port,
    createDatabase: async (name) => {
      const client = new pg.Client({ host: "127.0.0.1", port, user: "accord", database: "postgres" });
      await client.connect();
      await client.query(`create database ${client.escapeIdentifier(name)}`);
      await client.end();
      return `postgres://accord@127.0.0.1:${port}/${name}`;
    },
    kill: () => run("pg_ctl", "kill", "KILL", String(mainProcess(data))),
    restart: async () => {
      // Its remaining processes keep its shared memory until they notice that it was killed.
      for (let attempt = 0; ; attempt++) {
        try {
          return start();
        } catch (error) {
          if (attempt === 40) throw error;
          await sleep(250);
        }
      }
    },
    stop: () => {
      try {
        stop("immediate");
      } catch {
        // It was killed.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Executes SQL in a database. */
export async function executePostgres(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function mainProcess(data: string): number {
  return Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
}

function binariesFolder(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => version >= 15));
  if (newest === 0) throw new Error("PostgreSQL 15 or newer is not installed; run .ci/install");
  return join(root, String(newest), "bin");
}

function userIds(name: string): { readonly uid: number; readonly gid: number } {
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout));
  if (!uid || !gid) throw new Error(`there is no user ${name}`);
  return { uid, gid };
}
