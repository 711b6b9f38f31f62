import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "./free-port.js";
import { median } from "./load.js";
import { accord, withServers } from "./servers.js";

const document = "node_modules/@octokit/openapi/generated/api.github.com.json";
const redocly = "node_modules/@redocly/cli/bin/cli.js";
const runs = 5;

/** The start of a mock of a document with 706 operations, to its first answer, compared with `redocly bundle` of the same document. */
export function benchMock(): Promise<string[]> {
  return withServers(async ({ folder }) => {
    copyFileSync(document, join(folder, "openapi.json"));
    writeFileSync(join(folder, "accord.yaml"), "contracts: {github: {openapi: openapi.json}}\n");
    const times: { mock: number; bundle: number }[] = [];
    for (let run = 0; run < runs; run++) times.push({ bundle: await bundle(folder), mock: await firstAnswer(folder) });
    const mock = median(times.map((one) => one.mock));
    const bundled = median(times.map((one) => one.bundle));
    const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
    return [
      `first answer of accord mock ${seconds(mock)}, redocly bundle ${seconds(bundled)}; mock/bundle ${(mock / bundled).toFixed(2)}`,
    ];
  });
}

async function bundle(folder: string): Promise<number> {
  const start = performance.now();
  const args = [resolve(redocly), "bundle", "openapi.json", "--output", "bundled.json"];
  await once(spawn(process.execPath, args, { cwd: folder, stdio: "ignore" }), "exit");
  return performance.now() - start;
}

async function firstAnswer(folder: string): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const args = [resolve(accord), "mock", "github", "--port", `${port}`];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    await Promise.race([once(child.stdout, "data"), exited]);
    const response = await fetch(`http://127.0.0.1:${port}/app`, { headers: { Authorization: "Bearer x" } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The mock answers ${response.status}`);
    return performance.now() - start;
  } finally {
    child.kill("SIGTERM");
    await exited;
  }
}
