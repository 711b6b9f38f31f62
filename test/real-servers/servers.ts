import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect } from "vitest";
import { freePort } from "../../scripts/bench/free-port.js";
import { startProgram } from "../support/start-program.js";

/** A server that other people wrote, with a few things on it. */
export interface RealServer {
  readonly address: string;
  /** Everything that a client could change, as text. */
  readonly dump: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

const install = "Run .ci/install.";

async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json().catch(() => undefined);
}

/** Starts Prometheus Alertmanager 0.25 with an alert and a silence. */
export async function startAlertmanager(folder: string): Promise<RealServer> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "alertmanager.yml"), "route: {receiver: none}\nreceivers: [{name: none}]\n");
  const port = await freePort();
  const options = ["--config.file=alertmanager.yml", "--storage.path=data", "--cluster.listen-address="];
  const { stop } = await startProgram({
    command: `prometheus-alertmanager ${options.join(" ")} --web.listen-address=127.0.0.1:${port}`,
    ...{ folder, install, ready: /(Listening on)/ },
  });
  const address = `http://127.0.0.1:${port}/api/v2`;
  const later = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
  await post(`${address}/alerts`, [{ labels: { alertname: "Cellar" }, endsAt: later }]);
  await post(`${address}/silences`, {
    matchers: [{ name: "alertname", value: "Attic", isRegex: false }],
    ...{ startsAt: new Date().toISOString(), endsAt: later, createdBy: "Ada", comment: "Painting" },
  });
  const dump = async () =>
    JSON.stringify([await get(`${address}/alerts`), await get(`${address}/silences`)]).replaceAll(
      // It names an instant at which it last looked.
      /"updatedAt":"[^"]*"/g,
      "",
    );
  return { address, dump, stop };
}

/** The key of `startPowerDns`. */
export const powerDnsKey = "key-of-the-nameserver";

/** Starts PowerDNS Authoritative Server 4.7 with a zone, on an SQLite database. */
export async function startPowerDns(folder: string): Promise<RealServer> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "pdns.sqlite3");
  const database = new Database(file);
  database.exec(readFileSync("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql", "utf8"));
  database.close();
  const [port, dns] = [await freePort(), await freePort()];
  const options = [
    ...["--no-config", "--config-dir=.", "--socket-dir=.", "--daemon=no", "--guardian=no", "--write-pid=no"],
    ...["--launch=gsqlite3", "--gsqlite3-dnssec=yes", `--gsqlite3-database=${file}`],
    ...["--local-address=127.0.0.1", `--local-port=${dns}`, "--api=yes", `--api-key=${powerDnsKey}`],
    ...["--webserver=yes", "--webserver-address=127.0.0.1", `--webserver-port=${port}`],
  ];
  const { stop } = await startProgram({
    command: `/usr/sbin/pdns_server ${options.join(" ")}`,
    ...{ folder, install, ready: /(ready to distribute questions|threads, UDP)/ },
  });
  const address = `http://127.0.0.1:${port}/api/v1`;
  const zone = { name: "example.org.", kind: "Native", nameservers: ["ns1.example.org."] };
  await post(`${address}/servers/localhost/zones`, zone, { "X-API-Key": powerDnsKey });
  const dump = async () => {
    const reader = new Database(file, { readonly: true });
    const tables = reader.prepare("select name from sqlite_master where type = 'table' order by name").all() as {
      readonly name: string;
    }[];
    const rows = tables.map(({ name }) => [name, reader.prepare(`select * from ${name}`).all()]);
    reader.close();
    return JSON.stringify(rows);
  };
  return { address, dump, stop };
}

/** Starts etcd 3.4 with a key, a user and a role. */
export async function startEtcd(folder: string): Promise<RealServer> {
  mkdirSync(folder, { recursive: true });
  const [port, peers] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peers}`;
  const options = [
    ...["--data-dir data", `--listen-client-urls ${address}`, `--advertise-client-urls ${address}`],
    ...[`--listen-peer-urls ${peer}`, `--initial-advertise-peer-urls ${peer}`, `--initial-cluster default=${peer}`],
  ];
  const { stop } = await startProgram({
    command: `etcd ${options.join(" ")}`,
    ...{ folder, install, ready: /(serving insecure client requests|ready to serve client requests)/ },
  });
  const call = (path: string, body: object = {}) => post(`${address}/v3/${path}`, body);
  const text = (plain: string) => Buffer.from(plain).toString("base64");
  await call("kv/put", { key: text("cellar"), value: text("wine") });
  await call("auth/user/add", { name: "ada", password: "secret-of-ada" });
  await call("auth/role/add", { name: "gardener" });
  const dump = async () => {
    const parts = await Promise.all([
      // The header has the revision of the store, which each write raises.
      call("kv/range", { key: text("\0"), range_end: text("\0") }),
      ...["auth/user/list", "auth/role/list", "cluster/member/list", "lease/leases"].map((path) => call(path)),
      call("maintenance/alarm"),
    ]);
    return JSON.stringify(parts).replaceAll(/"raft_term":"\d+"/g, "");
  };
  await expect.poll(dump).toContain("ada");
  return { address, dump, stop };
}
