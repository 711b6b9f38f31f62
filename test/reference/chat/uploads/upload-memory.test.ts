import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { expect, onTestFinished } from "vitest";
import { needing } from "../../../support/needing.js";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";
import { basicAuth } from "./basic-auth.js";

const { it } = needing("ps");

const mebibyte = 1024 * 1024;
const uploads = 40;

function residentBytes(pid: number | undefined): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024;
}

/** Writes to a request, and waits until the data is flushed. */
function send(outgoing: ClientRequest, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => outgoing.write(bytes, (error) => (error ? reject(error) : resolve())));
}

it("holds forty uploads of 24 MB in less than 200 MB of memory", async () => {
  using folder = temporaryFolder();
  const server = await startReferenceProcess("--data", folder.path, "--states", "--log-level", "error");
  const setup = await setUpChat({ url: server.url, statesUrl: `${server.url}/states` });
  const headers = { ...basicAuth(setup.credentials("member")), "Content-Type": "multipart/form-data; boundary=b" };
  const before = residentBytes(server.child.pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(server.child.pid));
  }, 100);
  onTestFinished(() => clearInterval(watch));
  const piece = Buffer.alloc(mebibyte, 1);
  const requests = Array.from({ length: uploads }, () => {
    const outgoing = request(`${server.url}/api/v1/user_uploads`, { method: "POST", headers });
    const status = new Promise((resolve, reject) => {
      outgoing.on("response", (answer) => resolve(answer.resume().statusCode));
      outgoing.on("error", reject);
    });
    // A failure is reported after the others are done.
    status.catch(() => {});
    return { outgoing, status };
  });
  await Promise.all(
    requests.map(async ({ outgoing }) => {
      await send(outgoing, Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'));
      for (let sent = 0; sent < 24; sent++) await send(outgoing, piece);
    }),
  );
  // All uploads are unfinished and on the disk.
  await expect.poll(() => readdirSync(folder.inside("spool")).length).toBe(uploads);
  const complete = requests.splice(0, 4);
  for (const { outgoing } of requests) outgoing.destroy();
  for (const { outgoing } of complete) outgoing.end("\r\n--b--\r\n");
  expect(await Promise.all(complete.map(({ status }) => status))).toEqual([200, 200, 200, 200]);
  clearInterval(watch);
  peak = Math.max(peak, residentBytes(server.child.pid));
  console.info(`${uploads} uploads: ${Math.round((peak - before) / mebibyte)} MiB above the start`);
  expect(peak - before).toBeLessThan(200 * mebibyte);
  await expect.poll(() => readdirSync(folder.inside("spool"))).toEqual([]);
});
