import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { loadRestContract } from "../../../src/behaviour/load-rest-contract.js";
import type { RestContract } from "../../../src/contract/rest/rest-contract.js";
import { formatJunit } from "../../../src/report/format-junit.js";
import { formatMarkdown } from "../../../src/report/format-markdown.js";
import { formatSummary } from "../../../src/report/format-summary.js";
import { formatHtml } from "../../../src/report/html/format-html.js";
import type { Degree } from "../../../src/report/model/degree.js";
import type { JsonRule } from "../../../src/report/model/json-report.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { type VerifyRestOptions, verifyRest } from "../../../src/verify/rest/verify-rest.js";
import { maxBlamed } from "../../../src/verify/run/server-watch.js";

const pet = { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } };
const json = (schema: object, example?: object) => ({
  "application/json": { schema, example },
});
const list = (operationId: string) => ({
  get: { operationId, responses: { 200: { description: "All", content: json({ type: "array", items: pet }) } } },
});
const create = (operationId: string) => ({
  post: {
    operationId,
    requestBody: { required: true, content: json({ ...pet, required: ["name"] }, { name: "Rex" }) },
    responses: {
      201: { description: "Created", content: json(pet) },
      400: { description: "Refused", content: json({ type: "object" }) },
    },
  },
});

/** Two reads and two writes. */
const document = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1.0.0" },
  paths: {
    "/owners": { ...list("listOwners"), ...create("createOwner") },
    "/pets": { ...list("listPets"), ...create("createPet") },
  },
};

let contract: RestContract;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "accord-dying-"));
  const openapi = join(folder, "pets.json");
  writeFileSync(openapi, JSON.stringify(document));
  contract = await loadRestContract({ kind: "rest", name: "pets", openapi, conventions: {} });
  rmSync(folder, { recursive: true });
});

/** A server on a port of its own, which can be away. */
interface Pets {
  readonly url: string;
  readonly seen: string[];
  /** Ends as a process does: closes all connections and listens no more. */
  readonly die: (restartAfterMs?: number) => void;
  /** Reads nothing of what arrives from now on, until it ends. */
  readonly stopReading: () => void;
}

type Answer = (request: IncomingMessage, response: ServerResponse, pets: Pets, body: string) => boolean | undefined;

/** Starts a server that answers as documented unless `answer` returns true. */
async function start(answer: Answer): Promise<Pets> {
  let server = createServer();
  const seen: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    if (answer(request, response, pets, text)) return;
    const isKnown = request.url === "/pets" || request.url === "/owners";
    const isWrite = request.method === "POST";
    const body = isWrite ? parsed(text) : [];
    const { name, id = 0 } = (body ?? {}) as { name?: unknown; id?: unknown };
    const isRefused = isWrite && (typeof name !== "string" || !Number.isInteger(id));
    response.writeHead(isKnown ? (isRefused ? 400 : isWrite ? 201 : 200) : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isRefused || !isKnown ? {} : isWrite ? { id: 1, name: "Rex" } : [{ id: 1 }]));
  };
  const listenAt = (port: number) =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => void handle(request, response).catch(() => {}));
      server.listen(port, "127.0.0.1", resolve);
    });
  await listenAt(0);
  const { port } = server.address() as AddressInfo;
  const unread: Socket[] = [];
  let restart: NodeJS.Timeout | undefined;
  const close = () => {
    server.close();
    // A connection that was accepted a moment before is known only now.
    server.on("connection", (socket) => socket.resetAndDestroy());
    server.closeAllConnections();
    for (const socket of unread.splice(0)) socket.resetAndDestroy();
  };
  const pets: Pets = {
    url: `http://127.0.0.1:${port}`,
    seen,
    stopReading: () => {
      server.removeAllListeners("connection").on("connection", (socket) => unread.push(socket));
    },
    die: (restartAfterMs) => {
      if (!server.listening) return;
      close();
      if (restartAfterMs !== undefined) restart = setTimeout(() => void listenAt(port), restartAfterMs);
    },
  };
  onTestFinished(() => {
    clearTimeout(restart);
    close();
  });
  return pets;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const is = (request: IncomingMessage, title: string) => `${request.method} ${request.url}` === title;

/** Only a server that never responds waits as long as this; another may be slow, since the machine is busy. */
const hangMs = 1_000;

async function verify(
  { url }: Pets,
  degree: Degree,
  options: Pick<VerifyRestOptions, "jobs" | "restartWaitMs" | "timeoutMs" | "operations"> = {},
) {
  const report = await verifyRest(contract, { url, degree, seed: 1, jobs: 4, timeoutMs: 5_000, ...options });
  const { rules, verdict, checks, outages, flickers, exitCode } = toJsonReport(report);
  const state = (id: string) => rules.find((rule) => rule.id === id)?.state;
  return { report, rules, verdict, checks, outages, flickers, exitCode, state };
}

/** The operations with a rule that is kept. */
function keptOf(rules: readonly JsonRule[]): string[] {
  return [...new Set(rules.flatMap(({ state, resource }) => (state === "kept" ? resource : [])))].sort();
}

describe("a server that a request ends", () => {
  it.each(["GET /pets", "POST /pets"])("and that comes back breaks the rule of %s alone", async (title) => {
    const pets = await start((request, _, { die }) => {
      if (!is(request, title)) return false;
      die(300);
      return true;
    });
    const { state, exitCode, checks, outages = [], verdict } = await verify(pets, "everything");
    const [broken, others] = title.startsWith("GET")
      ? ["listPets", ["listOwners", "createOwner", "createPet"]]
      : ["createPet", ["listOwners", "createOwner", "listPets"]];
    const failed = checks.filter(({ outcome }) => outcome === "failed");
    expect(failed.filter(({ operation }) => operation !== broken)).toEqual([]);
    expect(state(`${broken}.response`)).toBe("broken");
    expect(others.map((id) => state(`${id}.response`))).toEqual(["kept", "kept", "kept"]);
    expect(exitCode).toBe(1);
    expect(failed[0]?.problems?.join()).toContain(`${title} ended the server`);
    expect(failed[0]?.trace?.at(-1)?.command).toContain("/pets");
    expect(outages.every(({ durationMs, after }) => durationMs !== undefined && after?.includes(title))).toBe(true);
    expect(verdict.word).toBe("FAIL");
  });

  it("and that stays away leaves everything else not exercised, and says so first in every format", async () => {
    const pets = await start((request, _, { die }) => {
      if (!is(request, "POST /pets")) return false;
      die();
      return true;
    });
    const { report, rules, verdict, exitCode } = await verify(pets, "everything", { jobs: 1, restartWaitMs: 0 });
    expect(verdict).toMatchObject({ word: "FAIL" });
    expect(verdict.sentence).toMatch(
      /^At \d\d:\d\d:\d\d UTC, after POST \/pets, the server stopped listening, and did/,
    );
    expect(exitCode).toBe(1);
    expect(rules.filter(({ state }) => state === "broken").map(({ id }) => id)).toEqual(["createPet.response"]);
    // Reads came first.
    expect(keptOf(rules)).toEqual(["listOwners", "listPets"]);
    const first = verdict.sentence.slice(0, verdict.sentence.indexOf(". "));
    const markdown = formatMarkdown(report).replaceAll("&#58;", ":");
    for (const text of [formatSummary(report, { columns: 400 }), markdown, formatHtml(report), formatJunit(report)])
      expect(text).toContain(first);
  });
});

describe("a server that ends a moment after it has answered", () => {
  const endingAfter = (title: string, restartAfterMs?: number) =>
    start((request, response, { die, stopReading }) => {
      if (is(request, title))
        response.once("finish", () => {
          stopReading();
          setTimeout(() => die(restartAfterMs), 5);
        });
      return false;
    });

  it.each(["GET /pets", "POST /pets"])(
    "to %s, and comes back, breaks the rule of that operation alone",
    async (title) => {
      const { rules, exitCode, checks } = await verify(await endingAfter(title, 300), "everything");
      const operation = title === "GET /pets" ? "listPets" : "createPet";
      expect(rules.filter(({ state }) => state === "broken").map(({ id }) => id)).toEqual([`${operation}.response`]);
      expect(JSON.stringify(checks)).toContain(`${title} ended the server a moment after it was answered`);
      expect(exitCode).toBe(1);
    },
  );

  it("and stays away breaks no rule, and the first sentence says after which request", async () => {
    const { rules, verdict, exitCode } = await verify(await endingAfter("GET /pets"), "reads", {
      jobs: 1,
      restartWaitMs: 0,
    });
    expect(rules.filter(({ state }) => state === "broken")).toEqual([]);
    expect(keptOf(rules)).not.toContain("listPets");
    expect(verdict.sentence).toMatch(
      /^At [\d:]+ UTC, after GET \/pets.*, the server stopped listening, and did not come back/,
    );
    expect(exitCode).toBeGreaterThan(0);
  });
});

describe("a server that answers nothing at all", () => {
  it.each<[does: string, answer: Answer]>([
    ["never responds", () => true],
    ["closes each connection", ({ socket }) => socket.destroy() !== undefined],
  ])("and %s makes no finding, and one sentence says so", async (_, answer) => {
    const verifying = verify(await start(answer), "reads", { timeoutMs: hangMs });
    await expect(verifying).rejects.toThrow(/accepts connections, but has answered no request: /);
  });
});

describe("a server that several requests may have ended", () => {
  it("and that stays away fails the run, which names them and breaks no rule", async () => {
    let waiting = 0;
    const pets = await start((request, _, { die }) => {
      if (request.method !== "POST" || request.url === "/accord-no-such-operation") return false;
      if (++waiting > 1) die();
      return true;
    });
    const { rules, verdict, exitCode, outages } = await verify(pets, "everything", { restartWaitMs: 0 });
    expect(rules.filter(({ state }) => state === "broken")).toEqual([]);
    expect(outages?.[0]?.suspects?.toSorted()).toEqual(["POST /owners", "POST /pets"]);
    expect(verdict.word).toBe("FAIL");
    expect(verdict.sentence).toMatch(
      /after POST \/\w+, POST \/\w+, the server stopped listening, and did not come back\./,
    );
    expect(exitCode).toBe(1);
  });
});

describe("a server that hangs", () => {
  it.each([
    ["GET /pets", "listPets"],
    ["POST /pets", "createPet"],
  ])("at %s breaks the rule of that operation alone", async (title, operation) => {
    const pets = await start((request) => is(request, title));
    const { rules, exitCode, checks } = await verify(pets, "everything", { timeoutMs: hangMs });
    expect(rules.filter(({ state }) => state === "broken").map(({ id }) => id)).toEqual([`${operation}.response`]);
    const kept = rules.filter(({ state }) => state === "kept").map(({ id }) => id);
    for (const other of ["listPets", "createPet", "listOwners", "createOwner"])
      if (other !== operation) expect(kept).toContain(`${other}.response`);
    expect(exitCode).toBe(1);
    const hanging = checks.filter(({ problems }) => problems?.join().includes("hangs, while the server answers other"));
    // Those that are under way when it is blamed are sent as well.
    expect(hanging.length).toBeGreaterThan(0);
    expect(hanging.length).toBeLessThan(maxBlamed + 4);
  });

  it("as a whole after a request breaks the rule of that operation alone, and ends the run", async () => {
    let isStuck = false;
    const pets = await start((request) => {
      isStuck ||= is(request, "POST /pets");
      return isStuck;
    });
    const { rules, verdict, exitCode } = await verify(pets, "everything", {
      jobs: 1,
      restartWaitMs: 0,
      timeoutMs: hangMs,
    });
    expect(verdict.sentence).toMatch(/^At [\d:]+ UTC, after POST \/pets, the server stopped responding to any request/);
    expect(rules.filter(({ state }) => state === "broken").map(({ id }) => id)).toEqual(["createPet.response"]);
    expect(keptOf(rules)).toEqual(["listOwners", "listPets"]);
    expect(exitCode).toBe(1);
  });
});

describe("a write", () => {
  /** How often each write arrived that the server did not refuse with 429. */
  async function countWrites(flicker: (response: ServerResponse) => boolean): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    let writes = 0;
    const pets = await start(({ method, url }, response, _, body) => {
      if (method !== "POST") return false;
      const isAnswered = ++writes % 11 === 2 && flicker(response);
      if (response.statusCode !== 429) counts.set(`${url} ${body}`, (counts.get(`${url} ${body}`) ?? 0) + 1);
      return isAnswered;
    });
    await verify(pets, "everything", { timeoutMs: hangMs, operations: ["createPet"] });
    return counts;
  }

  it("is never sent again, whatever the server does", async () => {
    const planned = await countWrites(() => false);
    expect(planned.size).toBeGreaterThan(10);
    const flickers: Record<string, (response: ServerResponse) => boolean> = {
      "closes the connection": ({ socket }) => socket?.destroy() !== undefined,
      "closes the connection once it is idle": ({ socket }) => setTimeout(() => socket?.destroy(), 5) === undefined,
      "lets a gateway answer 503": (response) => response.writeHead(503).end("<h1>Bad</h1>") !== undefined,
      "answers 429": (response) => response.writeHead(429, { "Retry-After": "0" }).end() !== undefined,
      "does not answer": () => true,
    };
    const again: string[] = [];
    for (const [what, flicker] of Object.entries(flickers))
      for (const [write, count] of await countWrites(flicker))
        if (count > (planned.get(write) ?? 1)) again.push(`${what}: ${write.slice(0, 80)}`);
    expect(again).toEqual([]);
  });
});

describe("a server that ends for one reason in every operation", () => {
  it("gets three requests of that kind, which are one finding", async () => {
    const pets = await start((_, __, { die }, body) => {
      if (!body.includes("[[[[")) return false;
      die(20);
      return true;
    });
    const { report, checks } = await verify(pets, "everything", { jobs: 1 });
    const deep = checks.filter(({ id }) => id.endsWith("-odd-deep"));
    const reason = `not sent, since ${maxBlamed} requests in which a value is nested 5,000 deep got no response`;
    expect(deep.filter(({ outcome }) => outcome === "failed")).toHaveLength(maxBlamed);
    expect(deep.slice(maxBlamed).map((check) => check.reason)).toEqual(deep.slice(maxBlamed).map(() => reason));
    expect(deep.length).toBeGreaterThan(maxBlamed);
    expect(formatSummary(report)).toMatch(/^create(Pet|Owner)\.response and 1 more rule +FAIL$/m);
  });

  it("may say that it had not read the request, as systems do over HTTP/2: the request is to blame once it was alone", async () => {
    const pets = await start((request, _, { die }) => {
      if (!is(request, "POST /pets")) return false;
      request.socket.resetAndDestroy();
      die(20);
      return true;
    });
    const { state } = await verify(pets, "everything");
    expect(state("createPet.response")).toBe("broken");
  });

  it("lets a gateway answer from a write on: the report names the write", async () => {
    let isPaused = false;
    const pets = await start((request, response) => {
      if (isPaused && request.method === "POST")
        response.writeHead(503, { "Content-Type": "text/html" }).end("<h1>Paused</h1>");
      const wasPaused = isPaused && request.method === "POST";
      isPaused ||= is(request, "POST /owners");
      return wasPaused;
    });
    const { report } = await verify(pets, "everything", { jobs: 1 });
    expect(formatSummary(report).replace(/\s+/g, " ")).toContain("most of them after POST /owners (`--exclude` it");
  });
});

describe("a server that flickers", () => {
  it("closes the connections of one operation only: that operation is failing", async () => {
    const pets = await start((request) => {
      if (!is(request, "GET /pets")) return false;
      request.socket.destroy();
      return true;
    });
    const { rules, report } = await verify(pets, "reads");
    expect(rules.filter(({ state }) => state === "broken").map(({ id }) => id)).toEqual(["listPets.response"]);
    expect(toJsonReport(report).operations?.find(({ id }) => id === "listPets")?.state).toBe("failing");
  });

  it("closes a connection now and then: no rule is broken, and the report counts them", async () => {
    let reads = 0;
    const pets = await start((request) => {
      if (request.method !== "GET" || ++reads % 5 !== 2) return false;
      request.socket.destroy();
      return true;
    });
    const { rules, flickers, report } = await verify(pets, "reads", { jobs: 1 });
    expect(rules.filter(({ state }) => state === "broken")).toEqual([]);
    expect(flickers?.dropped).toBeGreaterThan(0);
    expect(formatSummary(report)).toMatch(/\d+ connections? closed without a response/);
  });

  it.each([502, 503, 504])("is behind a gateway that answers %i now and then: no rule is broken", async (status) => {
    let requests = 0;
    const writes = { sent: 0, gateway: 0 };
    const pets = await start((request, response) => {
      const isGateway = ++requests % 5 === 3;
      if (request.method === "POST") writes[isGateway ? "gateway" : "sent"]++;
      if (isGateway) response.writeHead(status, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
      return isGateway;
    });
    const { rules, flickers, report, checks } = await verify(pets, "everything", { jobs: 1 });
    expect(rules.filter(({ state }) => state === "broken")).toEqual([]);
    expect(rules.find(({ id }) => id === "listPets.response")?.state).toBe("kept");
    expect(flickers?.gateway).toBeGreaterThan(0);
    expect(formatSummary(report)).toContain(`${flickers?.gateway} gateway errors`);
    const skipped = checks.filter(({ reason }) => reason?.includes("it may write, so it was not repeated"));
    expect(skipped.length).toBeGreaterThan(0);
  });

  it("sends a second response: it is counted, and no rule is broken", async () => {
    const body = JSON.stringify([{ id: 1 }]);
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const pets = await start((request) => {
      if (request.method !== "GET" || request.url === "/accord-no-such-operation") return false;
      request.socket.end(`${head}${body}HTTP/1.1 500 Bad\r\nContent-Length: 3\r\n\r\nbad`);
      return true;
    });
    const { rules, flickers } = await verify(pets, "reads");
    expect(rules.filter(({ state }) => state === "broken")).toEqual([]);
    expect(flickers?.surplus).toBeGreaterThan(0);
  });

  it("answers 429 for ever: the run gives up as a whole, and says so", async () => {
    const pets = await start((_, response) => {
      response.writeHead(429, { "Retry-After": "60" }).end();
      return true;
    });
    const { verdict, exitCode } = await verify(pets, "everything");
    expect(verdict.word).toBe("COULD NOT RUN");
    expect(verdict.sentence).toMatch(/^From [\d:]+ UTC, the server answered every request with 429\./);
    expect(exitCode).toBe(2);
    expect(pets.seen.length).toBeLessThan(20);
  });
});
