import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { loadDocument } from "./bare-contract.js";

const thing = {
  type: "object",
  required: ["id", "title"],
  properties: { id: { type: "integer" }, title: { type: "string" } },
};
const json = (schema: object) => ({ description: "Success", content: { "application/json": { schema } } });
const query = (name: string, schema: object = { type: "integer" }) => ({ name, in: "query", schema });

/** A contract of things whose list has pages. */
function thingsDocument(parameters: readonly object[]): object {
  const body = { type: "object", required: ["title"], properties: { title: { type: "string" } } };
  const list = { type: "object", properties: { things: { type: "array", items: thing }, next: { type: "string" } } };
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  return {
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    paths: {
      "/things": {
        post: {
          operationId: "makeThing",
          requestBody: { required: true, content: { "application/json": { schema: body } } },
          responses: { 201: json(thing) },
        },
        get: {
          operationId: "listThings",
          parameters,
          responses: { 200: { ...json(list), headers: { Link: { schema: { type: "string" } } } } },
        },
      },
      "/things/{id}": {
        get: {
          operationId: "readThing",
          parameters: [id],
          responses: { 200: json(thing), 404: { description: "None" } },
        },
        patch: {
          operationId: "patchThing",
          parameters: [id],
          requestBody: { required: true, content: { "application/json-patch+json": { schema: { type: "array" } } } },
          responses: { 200: json(thing), 409: { description: "A test fails" } },
        },
        delete: {
          operationId: "removeThing",
          parameters: [id],
          responses: { 204: { description: "Removed" }, 404: { description: "None" } },
        },
      },
    },
  };
}

/** How a server cuts its list, from which entry on. */
type Cut = (all: readonly object[], size: number, from: number) => readonly object[];

type Patch = readonly { readonly op: string; readonly path: string; readonly value: unknown }[];

/** What a thing is after a JSON patch; undefined if a test fails. */
type Patched = (thing: object, patch: Patch) => { readonly kept: object; readonly isRefused: boolean };

const patched: Patched = (thing, patch) => {
  const isRefused = patch.some(({ op, path, value }) => op === "test" && Reflect.get(thing, path.slice(1)) !== value);
  const changes = patch.flatMap(({ op, path, value }) => (op === "replace" ? [[path.slice(1), value]] : []));
  return { kept: isRefused ? thing : { ...thing, ...Object.fromEntries(changes) }, isRefused };
};

async function startThings(
  cut: Cut,
  isDelayed = false,
  patching: Patched = patched,
  isTaken: (body: Record<string, unknown>) => boolean = () => true,
): Promise<string> {
  const things = new Map<number, object>();
  let last = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const id = Number(pathname.split("/")[2]);
    const send = (status: number, body?: object) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(body && JSON.stringify(body));
    if (!pathname.startsWith("/things")) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("no such path");
      return;
    }
    if (request.method === "POST" || request.method === "PATCH") {
      let text = "";
      request.on("data", (piece) => (text += piece));
      request.on("end", () => {
        if (!/^[[{].*[\]}]$/.test(text)) {
          send(400, {});
          return;
        }
        if (request.method === "PATCH") {
          const { kept, isRefused } = patching(things.get(id) ?? {}, JSON.parse(text));
          if (things.has(id)) things.set(id, kept);
          send(isRefused ? 409 : 200, isRefused ? {} : kept);
          return;
        }
        if (!isTaken(JSON.parse(text))) {
          send(400, {});
          return;
        }
        const made = { ...JSON.parse(text), id: ++last };
        things.set(made.id, made);
        send(201, made);
      });
    } else if (request.method === "DELETE") send(things.delete(id) ? 204 : 404);
    else if (pathname !== "/things") send(things.has(id) ? 200 : 404, things.get(id) ?? {});
    else {
      const size = Number(searchParams.get("limit") ?? 100);
      const page = searchParams.get("page");
      const from = Number(
        searchParams.get("from") ??
          searchParams.get("offset") ??
          searchParams.get("cursor") ??
          (page === null ? 0 : (Number(page) - 1) * size),
      );
      const seen = [...things.values()].slice(0, isDelayed && Math.random() < 0.5 ? -1 : undefined);
      response.setHeader(
        "Link",
        `</things?limit=9>; rel="first", </things?limit=${size}&from=${from + size}>; rel=next`,
      );
      const links = [`</things?limit=9>; rel="first"`, `</things?limit=${size}&from=${from + size}>; rel=next`];
      response.setHeader("Link", links.join(", "));
      send(200, { things: cut(seen, size, from), next: String(from + size) });
    }
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return url;
}

const ways = {
  link: [query("limit"), query("from")],
  offset: [query("limit"), query("offset")],
  page: [query("limit"), query("page", { type: "integer", minimum: 1 })],
  cursor: [query("limit"), query("cursor", { type: "string" })],
} as const;

const right: Cut = (all, size, from) => all.slice(from, from + size);

it.each<[string, keyof typeof ways, Cut, string]>([
  ["keeps to them: offset", "offset", right, "kept"],
  ["keeps to them: page", "page", right, "kept"],
  ["keeps to them: cursor", "cursor", right, "kept"],
  ["keeps to them: link", "link", right, "kept"],
  ["repeats entries by links", "link", (all, size) => all.slice(0, size), "deviating"],
  ["repeats entries", "offset", (all, size) => all.slice(0, size), "deviating"],
  ["repeats entries by pages", "page", (all, size) => all.slice(0, size), "deviating"],
  ["loses entries", "cursor", (all, size, from) => all.slice(from * 1000, from * 1000 + size), "deviating"],
  ["has no pages", "offset", (all) => all, "kept"],
  ["has pages of at least five", "page", (all, size, from) => all.slice(from, from + Math.max(size, 5)), "kept"],
])("judges the pages of a server that %s", async (_, way, cut, state) => {
  const contract = await loadDocument("things", thingsDocument(ways[way]), true);
  const url = await startThings(cut);
  const only = ["workflow things-listed"];
  const report = toJsonReport(await verifyRest(contract, { url, degree: "everything", seed: 1, only }));
  expect(report.rules.find(({ id }) => id === "things.listed")).toMatchObject({ state });
});

it("blames no server that shows later what it was told", async () => {
  const contract = await loadDocument("things", thingsDocument(ways.offset), true);
  const url = await startThings(right, true);
  const report = toJsonReport(
    await verifyRest(contract, { url, degree: "everything", only: ["workflow things-listed-in"] }),
  );
  expect(report.rules.filter(({ id, state }) => id === "things.listed" && state === "deviating")).toEqual([]);
});

it.each<[string, Patched, string]>([
  ["keeps to RFC 6902", patched, "kept"],
  ["ignores it", (thing, patch) => ({ ...patched(thing, patch), kept: thing }), "broken"],
  [
    "forgets the rest",
    (thing, patch) => ({ ...patched(thing, patch), kept: { id: Reflect.get(thing, "id") } }),
    "broken",
  ],
  [
    "carries it out in part",
    (thing, patch) => ({ isRefused: patched(thing, patch).isRefused, kept: patched(thing, patch.slice(0, 1)).kept }),
    "broken",
  ],
])("judges the JSON patch of a server that %s", async (_, patching, state) => {
  const contract = await loadDocument("things", thingsDocument([]), true);
  const url = await startThings(right, false, patching);
  const only = ["workflow things-patched"];
  const report = toJsonReport(await verifyRest(contract, { url, degree: "everything", seed: 1, only }));
  expect(report.rules.find(({ id }) => id === "things.patched")).toMatchObject({ state });
});

const tags = { type: "array", items: { type: "string" } };

it.each<[string, object, (body: Record<string, unknown>) => boolean]>([
  ["an address", { ip: { type: "string" } }, ({ ip }) => ip === "192.0.2.1"],
  ["a described text", { at: { type: "string", description: "IP address" } }, ({ at }) => at === "192.0.2.1"],
  ["a flag", { isOn: { type: "boolean" } }, ({ isOn }) => isOn === true],
  ["an empty list", { tags }, ({ tags }) => Array.isArray(tags) && tags.length === 0],
  ["one of several kinds", { kind: { enum: ["small", "large"] } }, ({ kind }) => kind === "small"],
  ["everything", { tags, size: { type: "integer" } }, ({ tags, size }) => size !== undefined && tags !== undefined],
])("creates a thing with a server that requires %s, which its document does not say", async (_, members, isTaken) => {
  const body = { type: "object", properties: { title: { type: "string" }, ...members } };
  const document = thingsDocument([]) as { paths: { "/things": { post: { requestBody: { content: object } } } } };
  document.paths["/things"].post.requestBody.content = { "application/json": { schema: body } };
  Object.assign(document.paths["/things"].post, { responses: { 201: json(thing), 400: json({ type: "object" }) } });
  const contract = await loadDocument("things", document, true);
  const url = await startThings(right, false, patched, isTaken);
  const only = ["workflow things"];
  const report = toJsonReport(await verifyRest(contract, { url, degree: "everything", seed: 1, only }));
  expect(report.rules.filter(({ state }) => state === "broken" || state === "deviating")).toEqual([]);
  expect(report.operations?.find(({ id }) => id === "makeThing")).toMatchObject({ succeeded: true });
});

it.each<[string, string, string]>([
  ["keeps it from scripts", "sid=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly, theme=dark", "kept"],
  ["shows it to scripts", "sid=1; Path=/, theme=dark; HttpOnly", "deviating"],
  ["sets another cookie", "theme=dark; HttpOnly", "not-exercised"],
])("judges the cookie of a login that %s", async (_, cookie, state) => {
  const server = createServer((request, response) => {
    const status = request.url === "/logins" ? 204 : 404;
    request.resume().on("end", () => response.writeHead(status, { "Set-Cookie": cookie }).end());
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const header = { "Set-Cookie": { schema: { type: "string" } } };
  const login = { operationId: "login", security: [], responses: { 204: { description: "", headers: header } } };
  const contract = await loadDocument(
    "logins",
    {
      openapi: "3.1.0",
      info: { title: "Logins", version: "1" },
      paths: { "/logins": { post: login } },
      components: { securitySchemes: { session: { type: "apiKey", in: "cookie", name: "sid" } } },
    },
    true,
  );
  const only = ["workflow logins-login-cookie"];
  const report = toJsonReport(await verifyRest(contract, { url, degree: "everything", only }));
  expect(report.rules.find(({ id }) => id === "logins.login-cookie")).toMatchObject({ state });
});

it("blames no operation for refusing an account that another one ended", async () => {
  let isEnded = false;
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === "Bearer ada" && !isEnded;
    const [method, path] = [request.method, request.url];
    if (isKnown && method === "DELETE" && path === "/me") isEnded = true;
    const isThere = path === "/me" || path === "/settings" || path === "/session";
    const status = !isThere ? 404 : isKnown ? 200 : 401;
    request.resume().on("end", () => {
      response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const answers = { 200: json({ type: "object" }), 401: json({ type: "object" }) };
  const operation = (operationId: string) => ({ operationId, responses: answers });
  const document = {
    openapi: "3.1.0",
    info: { title: "Account", version: "1" },
    security: [{ token: [] }],
    paths: {
      "/settings": { get: operation("readSettings") },
      "/me": { delete: operation("endAccount") },
      "/session": { delete: operation("endSession") },
    },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
  const accounts = { caller: { secret: createSecret("ada") } };
  const contract = await loadDocument("account", document, true);
  const report = toJsonReport(await verifyRest(contract, { url, accounts, degree: "everything", seed: 1 }));
  expect(report.rules.filter(({ state }) => state === "broken" || state === "deviating")).toEqual([]);
  const session = report.checks.find(({ id }) => id === "case endSession/example");
  expect(session?.reason).toContain("the server no longer accepts the account of caller");
});
