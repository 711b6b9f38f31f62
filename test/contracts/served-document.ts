import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import type { Conventions } from "../../src/contract/rest/conventions.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { type VerifyRestOptions, verifyRest } from "../../src/verify/rest/verify-rest.js";

/** The response of a server: its status, JSON body and further headers. */
export type Reply = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** An API of a few paths, and a server of it. */
export interface ServedDocument {
  readonly paths: Readonly<Record<string, object>>;
  /** The rest of the document. */
  readonly document?: object;
  readonly conventions?: Conventions;
  /** Whether workflows are derived from the document. Defaults to false. */
  readonly isDerived?: boolean;
  /** The provider states, which are set up by `POST /states`. Defaults to none. */
  readonly states?: object;
  /** Answers `METHOD /path?query`. */
  readonly answer: (request: string, headers: Readonly<Record<string, unknown>>, body: string) => Reply;
}

/** The report on a server, and the requests that it got. */
export interface ServedReport {
  readonly report: JsonReport;
  readonly requests: readonly string[];
}

/** Verifies a server of a document, as often as options are given. */
export async function verifyServed(
  { paths, document = {}, conventions = {}, isDerived = false, states, answer }: ServedDocument,
  options: Partial<VerifyRestOptions> = {},
): Promise<ServedReport> {
  const folder = mkdtempSync(join(tmpdir(), "accord-served-"));
  const requests: string[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      const line = `${request.method} ${request.url}`;
      requests.push(line);
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const [status, body, headers] = answer(line, request.headers, Buffer.concat(pieces).toString());
        response.writeHead(status, {
          ...headers,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      });
    }),
  );
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const openapi = join(folder, "openapi.json");
  const info = { title: "Served", version: "1" };
  writeFileSync(openapi, JSON.stringify({ openapi: "3.1.0", info, paths, ...document }));
  if (states !== undefined) writeFileSync(join(folder, "states.yaml"), JSON.stringify(states));
  const ofStates = states === undefined ? {} : { statesUrl: `${url}/states` };
  const contract = await loadRestContract({ kind: "rest", name: "served", openapi, conventions }, { isDerived });
  const report = await verifyRest(contract, { url, degree: "everything", jobs: 1, seed: 1, ...ofStates, ...options });
  return { report: toJsonReport(report), requests };
}

/** A response with a JSON body. */
export function json(schema: object): object {
  return { description: "", content: { "application/json": { schema } } };
}

/** The state of each operation of a report, by its id. */
export function operationStates({ operations = [] }: JsonReport): Record<string, string> {
  return Object.fromEntries(operations.map(({ id, state }) => [id, state]));
}

/** The state of each rule of a report, by its id. */
export function ruleStates({ rules }: JsonReport): Record<string, string> {
  return Object.fromEntries(rules.map(({ id, state }) => [id, state]));
}
