import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { basePath } from "../src/contract/rest/base-path.js";
import { loadOpenApi } from "../src/contract/rest/load-openapi.js";
import { listOperations } from "../src/contract/rest/operations.js";
import { verifyRest } from "../src/verify/rest/verify-rest.js";
import { makeFolder } from "./support/museum.js";
import { runAccordIn, startAccordIn } from "./support/run-accord.js";
import { isThorough, sampleOf } from "./support/thorough.js";

const packages = fileURLToPath(new URL("../node_modules/", import.meta.url));

/**
 * `public-documents.md` names the sources. `part` of the checks runs, spread over all operations. Without `--thorough`, every third document
 * is tried, with a tenth of that.
 */
const documents: readonly (readonly [file: string, operations: number, get: string, part: number])[] = [
  ["@blockfrost/openapi/openapi.yaml", 129, "/health", 4],
  ["@octokit/openapi/generated/api.github.com.json", 706, "/app", 20],
  ["@figma/rest-api-spec/openapi/openapi.yaml", 54, "/v1/me", 3],
  ["@digdir/dialogporten-schema/swagger.verified.json", 29, "/api/v1/.well-known/jwks.json", 2],
  ["rclone-openapi/openapi.json", 101, "", 6],
];

/** Serves provider states with one caller, whom every mock accepts. */
async function serveStates(): Promise<string> {
  const caller = { token: "x", key: "x" };
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ credentials: { caller } }));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/states`;
}

/** What each document needs of a caller. */
const credentials = { Authorization: "Bearer x", project_id: "x", "X-Figma-Token": "x" };

describe.each(sampleOf(documents, 3))("%s", (file, operations, path, part) => {
  it("passes init, lint, mock and verify", { timeout: 300_000 }, async () => {
    const folder = makeFolder({});
    const document = join(folder, `openapi${/\.\w+$/.exec(file)?.[0]}`);
    copyFileSync(join(packages, file), document);

    const init = await runAccordIn(folder, "init");
    expect(init).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(`${operations} operations`) });
    const [name = ""] = Object.keys(parse(readFileSync(join(folder, "accord.yaml"), "utf8")).contracts);
    expect(await runAccordIn(folder, "lint", name, "--tier", "minimal")).toMatchObject({ code: 0, stderr: "" });

    const mock = startAccordIn(folder, "mock", name, "--port", "0");
    const [, url = ""] = await mock.printed(/ mock +(\S+)\n/);
    if (path !== "") {
      const response = await fetch(`${url}${path}`, { headers: credentials });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/json/);
      await response.json();
    }

    const contract = await loadOpenApi(document);
    expect(url.endsWith(basePath(contract))).toBe(true);
    expect(listOperations(contract)).toHaveLength(operations);
    if (isThorough) {
      const { checks } = await verifyRest(
        { name, document: contract, workflows: [], states: { "x-states": {} }, newestLevel: 0 },
        { url, degree: "everything", timeoutMs: 60_000, seed: 1 },
      );
      expect(checks.filter(({ outcome }) => outcome.kind === "failed")).toEqual([]);
    }

    const states = { "x-callers": { caller: "Anybody." }, "x-states": { base: { description: "Anything." } } };
    writeFileSync(join(folder, "states.yaml"), JSON.stringify(states));
    const given = [
      "--states",
      await serveStates(),
      "--seed",
      "1",
      "--timeout",
      "60000",
      "--quiet",
      "--shard",
      `1/${part * (isThorough ? 1 : 10)}`,
    ];
    const verify = await runAccordIn(folder, "verify", name, url, ...given);
    expect(verify).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/PASS +[\d,]+ rules kept, none broken[,.]/),
    });
    // Mocks refuse invalid requests with 400 also where a document does not list it.
    const deviating = [...verify.stdout.matchAll(/^(\S+)(?: and \d+ more rules?)? {2}DEVIATES$/gm)].map(([, id]) => id);
    expect(deviating.filter((id) => id?.endsWith(".statuses") !== true)).toEqual([]);
    mock.child.kill("SIGTERM");
    expect(await mock.finished).toMatchObject({ code: 0, stderr: "" });
  });
});
