import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { listenOn } from "../support/listen-on.js";
import { museum, shop } from "../support/museum.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";
import { isThorough } from "../support/thorough.js";
import { runCommands } from "./fuzz-documents.js";
import { createRandom, mutateDocument, mutateText } from "./mutate.js";

const powerdns = readFileSync(new URL("../real-servers/documents/powerdns.yaml", import.meta.url), "utf8");
const parcels = readFileSync(new URL("../contracts/parcels/openapi.yaml", import.meta.url), "utf8");

it.runIf(isThorough)("withstands mutants of valid documents for a minute", async () => {
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.writeHead(request.url?.startsWith("/accord-") ? 404 : 200).end("{}");
  });
  const url = `http://127.0.0.1:${await listenOn(server)}`;
  onTestFinished(() => void server.close());
  const documents = [museum, parse(parcels), parse(powerdns)];
  const ends = performance.now() + propertyRuns(60_000);
  for (let seed = propertySeed; performance.now() < ends; seed++) {
    const random = createRandom(seed);
    const document = documents[random(documents.length)] ?? museum;
    const files = [
      () => ({ "openapi.json": JSON.stringify(mutateDocument(document, random)) }),
      () => ({ "openapi.json": JSON.stringify(mutateDocument(document, random)) }),
      () => ({ "openapi.yaml": mutateText(random(2) === 0 ? powerdns : parcels, random) }),
      () => ({ "proto/shop/v1/shop.proto": mutateText(shop, random) }),
    ][random(4)]?.();
    expect({ seed, problems: await runCommands(files ?? {}, url) }).toEqual({ seed, problems: [] });
  }
});
