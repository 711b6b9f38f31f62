import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSecretFinder } from "../../../src/verify/daemon/create-secret-finder.js";
import { showsSecret } from "../../../src/verify/daemon/shows-secret.js";

const secret = "d41d8cd98f00b204e9800998ecf8427e";
const find = createSecretFinder([secret]);
const mebibyte = "Zürich\n".repeat(2 ** 20 / 7);

it.each([0, 1, 61_000, 61_439, 61_440, 65_500, 65_535, 65_536, 126_970, 1_000_000])(
  "finds a secret at %i of a long text, in any spelling",
  async (at) => {
    for (const spelling of [secret, Buffer.from(`u:${secret}`).toString("base64"), encodeURIComponent(`%${secret}`)]) {
      expect(await showsSecret(`${mebibyte.slice(0, at)}${spelling}${mebibyte}`, find)).toBe(true);
    }
  },
);

it.each(["", "Zürich", mebibyte])("finds nothing where there is nothing", async (text) => {
  expect(await showsSecret(text, find)).toBe(false);
});

it("lets other work go on, however long the text is and whatever it holds", async () => {
  const escapes = "%41\\u0041&#65;".repeat(2 ** 20 / 14);
  let isOver = false;
  const search = showsSecret(escapes, find).then(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) await turn();
  await search;
  expect(turns).toBeGreaterThan(10);
});

it("ends when it is aborted", async () => {
  const stop = new AbortController();
  const search = showsSecret(mebibyte, find, stop.signal);
  stop.abort();
  await expect(search).rejects.toThrow("aborted");
});
