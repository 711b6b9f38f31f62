import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../support/reference-process.js";
import { answerOf, startHost } from "../import/fetch/start-host.js";
import { findLeaks } from "./find-leaks.js";
import { rawCall } from "./raw-call.js";
import { startPortDaemon } from "./start-port-daemon.js";

const secret = "d41d8cd98f00b204e9800998ecf8427e";
const plant = fileURLToPath(new URL("throw-in-fetch.mjs", import.meta.url));

it.each(["throw", "reject"])("shows no secret if a fetch fails unexpectedly: %s", async (how) => {
  using folder = temporaryFolder();
  const host = await startHost(answerOf(200, {}, "x"));
  const before = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = `${before ?? ""} --import=${plant}`;
  const starting = startPortDaemon(folder.path, "--allow-private");
  if (before === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = before;
  const daemon = await starting;
  const url = `http://127.0.0.1:${host.port}/${how}/${secret}`;
  const answer = await rawCall(daemon.address, "connect", "PreviewImport", url, 2_000).catch(() => undefined);
  expect(host.requests.length).toBe(1);
  expect(findLeaks(answer?.everything ?? "", [secret])).toEqual([]);
  const written = await daemon.stop();
  expect(written).toMatch(/fault|error/i);
  expect(findLeaks(written, [secret])).toEqual([]);
});
