import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import Libsql from "libsql";
import { expect, it } from "vitest";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";
import { createTusCalls } from "./tus-calls.js";

/** The number of uploads whose last request is in progress when the server is killed. */
const concurrentUploads = 10;
const uploads = Number(process.env.ACCORD_REPEAT ?? 20);
const rounds = Math.ceil(uploads / concurrentUploads);

it("loses no byte of resumable uploads when the server is killed during their last request", {
  timeout: 600_000 + rounds * 30_000,
}, async () => {
  using folder = temporaryFolder();
  const start = () => startReferenceProcess("--data", folder.path, "--states", "--log-level", "error");
  let server = await start();
  const tus = createTusCalls((await setUpChat({ ...server, statesUrl: `${server.url}/states` })).credentials("member"));
  const seen = { answered: 0, complete: 0, resumed: 0 };
  for (let round = 0; round < rounds; round++) {
    const { url } = server;
    const begun = await Promise.all(
      Array.from({ length: concurrentUploads }, async () => {
        const bytes = randomBytes(50_000 + Math.floor(Math.random() * 50_000));
        const location = await tus.create(url, bytes.length);
        const acknowledged = bytes.length - 10;
        expect((await tus.patch(url, location, 0, bytes.subarray(0, acknowledged))).status).toBe(204);
        return { bytes, location, acknowledged };
      }),
    );
    let answers = 0;
    const last = Promise.all(
      begun.map(async ({ bytes, location, acknowledged }) => {
        try {
          const answer = await tus.patch(url, location, acknowledged, bytes.subarray(acknowledged));
          const body = (await answer.json()) as { url: string };
          answers++;
          return body.url;
        } catch {
          // The server is gone.
          return undefined;
        }
      }),
    );
    // At a random moment: after a number of responses, and after some more work of the server.
    const wanted = Math.floor(Math.random() * concurrentUploads);
    while (answers < wanted) await nextTurn();
    await wait(Math.random() * 10);
    server.child.kill("SIGKILL");
    const urls = await last;
    await server.finished;
    server = await start();
    for (const [index, { bytes, location, acknowledged }] of begun.entries()) {
      const offset = await tus.offset(server.url, location);
      expect(offset).toBeGreaterThanOrEqual(acknowledged);
      const answer = await tus.patch(server.url, location, offset, bytes.subarray(offset));
      const body = (await answer.json()) as { url: string };
      expect([answer.status, body]).toEqual([200, expect.objectContaining({ url: expect.any(String) })]);
      if (urls[index] !== undefined) expect(body.url).toBe(urls[index]);
      expect((await tus.content(server.url, body.url)).equals(bytes)).toBe(true);
      if (urls[index] !== undefined) seen.answered++;
      else if (offset === bytes.length) seen.complete++;
      else seen.resumed++;
    }
  }
  if (process.env.ACCORD_REPEAT !== undefined) console.info(seen);
  expect(seen.answered + seen.complete + seen.resumed).toBe(rounds * concurrentUploads);
});

it("resumes an upload after the server was killed during its first request", async () => {
  using folder = temporaryFolder();
  const start = () => startReferenceProcess("--data", folder.path, "--states", "--log-level", "error");
  const first = await start();
  const tus = createTusCalls((await setUpChat({ ...first, statesUrl: `${first.url}/states` })).credentials("member"));
  const bytes = randomBytes(400_000);
  const metadata = { "Upload-Metadata": `filename ${Buffer.from("skull.bin").toString("base64")}` };
  const location = await tus.create(first.url, bytes.length, metadata);
  tus.beginPatch(first.url, location, { offset: 0, total: bytes.length, sent: bytes.subarray(0, 300_000) });
  // Received bytes are written when there are 256 KiB of them.
  const database = new Libsql(folder.inside("chat.db"), { readonly: true });
  const received = () => (database.prepare("select received from upload_part").get() as { received: number }).received;
  await expect.poll(received).toBeGreaterThan(0);
  database.close();
  first.child.kill("SIGKILL");
  await first.finished;
  const second = await start();
  const offset = await tus.offset(second.url, location);
  expect(offset).toBeGreaterThan(0);
  const answer = await tus.patch(second.url, location, offset, bytes.subarray(offset));
  const body = (await answer.json()) as { url: string };
  expect([answer.status, body]).toEqual([200, expect.objectContaining({ result: "success", filename: "skull.bin" })]);
  expect((await tus.content(second.url, body.url)).equals(bytes)).toBe(true);
});
