import { spawn } from "node:child_process";
import { createServer, request as send } from "node:http";
import { freePort } from "../../scripts/bench/free-port.js";
import { captureOutput } from "../../scripts/capture-output.js";
import { listen } from "../../src/base/listen.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { loadBare } from "./bare-contract.js";
import { type ParcelFault, parcelFaults } from "./parcels/faults.js";
import { parcelKey, startParcels } from "./parcels/server.js";

/** What a tool claims of a server, one text for each claim. */
type Tool = (url: string) => Promise<readonly string[]>;

const contract = await loadBare("parcels", true);
/** The document as its author wrote it, with the examples that Dredd needs. Accord gets it without any. */
const file = "test/contracts/parcels/openapi.yaml";

const accord = async (url: string, only: readonly string[] = []): Promise<readonly string[]> => {
  const accounts = { caller: { secret: createSecret(parcelKey) } };
  const { rules, operations = [] } = toJsonReport(
    await verifyRest(contract, { url, accounts, degree: "everything", seed: 1, only }),
  );
  const found = rules.filter(({ state }) => state === "broken" || state === "deviating").map(({ id }) => id);
  return [...found, ...operations.filter(({ presence }) => presence === "not-implemented").map(({ id }) => id)];
};

const dredd: Tool = async (url) => {
  const options = [file, url, "--no-color", "--header", `X-Parcel-Key: ${parcelKey}`];
  const output = await captureOutput(["node_modules/dredd/bin/dredd", ...options], ".");
  return [...output.matchAll(/^(?:fail|error): (.*?) duration/gm)].map(([, claim = ""]) => claim);
};

/** Prism's proxy judges what passes through it: the valid requests that Accord makes. */
const prism: Tool = async (url) => {
  const port = await freePort();
  const child = spawn("node_modules/.bin/prism", ["proxy", file, url, "--port", String(port), "--errors", "false"]);
  await new Promise((resolve) =>
    child.stdout.on("data", (text) => /listening/i.test(String(text)) && resolve(undefined)),
  );
  const claims = new Set<string>();
  const { url: own, close } = await listen(
    createServer((request, response) => {
      const { method, headers, url: path } = request;
      const passed = send({ port, host: "127.0.0.1", method, headers, path }, (answer) => {
        const found = JSON.parse(String(answer.headers["sl-violations"] ?? "[]")) as {
          location: string[];
          message: string;
        }[];
        for (const { location, message } of found)
          if (location[0] === "response") claims.add(`${method} ${location.join(".")} ${message}`);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      request.pipe(passed);
    }),
  );
  await accord(own, ["case ", "workflow "]);
  await close();
  child.kill();
  return [...claims];
};

const tools: Readonly<Record<string, Tool>> = { accord: (url) => accord(url), dredd, prism };
const claimsOf = async (fault: ParcelFault | undefined, tool: Tool) => {
  const { url, close } = await startParcels(fault);
  const claims = await tool(url);
  await close();
  return [...new Set(claims)].sort();
};
for (const [name, tool] of Object.entries(tools).filter(
  ([name]) => process.argv[2] === undefined || process.argv[2] === name,
)) {
  const wrong = await claimsOf(undefined, tool);
  console.log(`${name}: claims about a server without a fault: ${wrong.length}`, wrong);
  const found: string[] = [];
  const missed: string[] = [];
  for (const fault of Object.keys(parcelFaults) as ParcelFault[]) {
    const claims = await claimsOf(fault, tool);
    (claims.join() === wrong.join() ? missed : found).push(fault);
  }
  console.log(`${name}: finds ${found.length} of ${found.length + missed.length}; misses ${missed.join(", ")}`);
}
