import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { guideExample } from "../support/guide-example.js";
import { makeFolder, write } from "../support/museum.js";
import { sampleOf } from "../support/thorough.js";
import { compileGenerated } from "./compile-generated.js";

const packages = fileURLToPath(new URL("../../node_modules/", import.meta.url));

const visit = `
import Fastify from "fastify";
import { createFrameworkErrors, fastifyPlugin } from "accord-contracts/runtime/fastify";
import { ApiError, createClient, isApiError, UnexpectedResponseError, unwrap } from "./generated/client.js";
import { createFetchHandler, createService, type Handler, type Handlers, refuse, refuseUndocumented, unimplementedHandlers } from "./generated/server.js";

interface Visitor { readonly token: string }
const artworks = [{ id: 1, title: "Water Lilies", artist: "Monet" }];
const replaceArtwork: Handler<"replaceArtwork", Visitor> = ({ parameters: { id, body }, caller }) => {
  caller.token satisfies string;
  // @ts-expect-error: the body has no such member.
  body.name;
  const found = artworks.find((one) => one.id === id);
  if (found === undefined) return refuse(404, { code: "no-such-artwork" });
  if (body.title === "busy") return refuseUndocumented(429, { code: "busy" }, { "Retry-After": "0" });
  Object.assign(found, body);
};
const noCode = refuse(404, { reason: "no-such-artwork" });
// @ts-expect-error: an error needs a code.
export const withoutCode: Handler<"replaceArtwork", Visitor> = () => noCode;
// @ts-expect-error: a title is missing.
export const withoutTitle: Handler<"listArtworks", Visitor> = () => [{ artist: "Monet" }];
// @ts-expect-error: every operation must be implemented.
export const incomplete: Handlers<Visitor> = { replaceArtwork };

const handlers: Handlers<Visitor> = {
  listArtworks: ({ parameters: { artist } }) => artworks.filter((one) => artist === undefined || one.artist === artist),
  replaceArtwork,
};
const authenticate = ({ token }: { readonly token?: { readonly secret: { reveal: () => string } } }) =>
  token?.secret.reveal() === "letmein" ? { token: "letmein" } : undefined;
const options = { handlers, authenticate, validateResponses: true };
const service = createService(options);
const app = Fastify({ frameworkErrors: createFrameworkErrors(service.fail) });
await app.register(fastifyPlugin(service));
const baseUrl = (await app.listen({ port: 0, host: "127.0.0.1" })) + "/v1";
const client = createClient({ baseUrl, credentials: { token: "letmein" } });
// @ts-expect-error: no such scheme.
createClient({ baseUrl, credentials: { key: "letmein" } });

const list = await client.listArtworks({ artist: "Monet" });
if (list.ok) list.data[0]?.title satisfies string | undefined;
// @ts-expect-error: the artist is a text.
await client.listArtworks({ artist: 1 }).catch(() => {});
// @ts-expect-error: no such parameter.
await client.listArtworks({ painter: "Monet" }).catch(() => {});
// @ts-expect-error: no such operation.
client.burnArtwork;
const replaced = await client.replaceArtwork({ id: 1, body: { title: "Poplars", artist: "Monet" } });
if (replaced.status === 204) replaced.data satisfies undefined;
// @ts-expect-error: the body lacks the artist.
const invalid = await client.replaceArtwork({ id: 1, body: { title: "Poplars" } });
const unknown = await client.replaceArtwork({ id: 404, body: { title: "Poplars", artist: "Monet" } });
const error = await Promise.resolve(unknown).then(unwrap).catch((thrown: unknown) => thrown);
if (isApiError(error)) error.body.code satisfies string | undefined;
const stranger = await createClient({ baseUrl, credentials: { token: "x" } }).listArtworks();
const nobody = await createClient({ baseUrl }).listArtworks();
const notFound = await fetch(baseUrl + "/paintings");
const malformed = await fetch(baseUrl + "/artworks/%zz");
const elsewhere = await createClient({ baseUrl: new URL(baseUrl).origin }).listArtworks().catch((thrown: unknown) => thrown);
const aborted = await client.listArtworks({}, { timeoutMs: 0 }).catch((thrown: Error) => thrown.name);
const handle = createFetchHandler({ ...options, handlers: unimplementedHandlers<Visitor>() });
const missing = await handle(new Request("http://museum/v1/artworks", { headers: { Authorization: "Bearer letmein" } }));
const limited = await createClient({ baseUrl, credentials: { token: "letmein" }, maxBytes: 3 }).listArtworks().catch((thrown: Error) => thrown.name);
await app.close();
export const seen = {
  list: list.ok && list.data,
  replaced: [replaced.ok, replaced.status, artworks[0]],
  invalid: [invalid.status, invalid.ok || invalid.error],
  unknown: [unknown.status, unknown.ok || unknown.error, error instanceof ApiError && error.message],
  refused: [stranger.status, nobody.status, nobody.response.headers.get("WWW-Authenticate")],
  notFound: [notFound.status, malformed.status, malformed.headers.get("Content-Type")],
  elsewhere: [elsewhere && !(elsewhere instanceof UnexpectedResponseError)],
  aborted,
  limited,
  missing: missing.status,
};
`;

describe("accord generate", () => {
  it("gives an OpenAPI contract a typed client and server that understand each other", {
    timeout: 120_000,
  }, async () => {
    const folder = makeFolder({ "openapi.yaml": guideExample("docs/your-own-contract.md", "openapi.yaml") });
    const conventions = { error: { body: { "/code": { type: "string" } }, code: "/code" } } as const;
    const contract = { kind: "rest", name: "museum", openapi: join(folder, "openapi.yaml"), conventions } as const;
    const { seen } = await compileGenerated(contract, visit);
    expect(seen).toEqual({
      list: [{ id: 1, title: "Water Lilies", artist: "Monet" }],
      replaced: [true, 204, { id: 1, title: "Poplars", artist: "Monet" }],
      invalid: [400, { code: "BAD_REQUEST" }],
      unknown: [404, { code: "no-such-artwork" }, "[no-such-artwork]"],
      refused: [401, 401, "Bearer"],
      notFound: [404, 400, "application/json"],
      elsewhere: [true],
      aborted: "TimeoutError",
      limited: "ResponseTooLargeError",
      missing: 501,
    });
  });

  const documents = [
    "@figma/rest-api-spec/openapi/openapi.yaml",
    "@octokit/openapi/generated/api.github.com.json",
    "@blockfrost/openapi/openapi.yaml",
    "rclone-openapi/openapi.json",
    "@digdir/dialogporten-schema/swagger.verified.json",
  ];
  it.each(sampleOf(documents, 4))("writes modules that compile for %s", { timeout: 300_000 }, async (file) => {
    const folder = makeFolder({});
    const openapi = join(folder, `openapi${/\.\w+$/.exec(file)?.[0]}`);
    write(folder, { [openapi.slice(folder.length + 1)]: readFileSync(join(packages, file), "utf8") });
    const use = 'export * from "./generated/client.js";\nexport { createService } from "./generated/server.js";';
    const compiled = await compileGenerated({ kind: "rest", name: "other", openapi, conventions: {} }, use);
    expect(compiled).toMatchObject({ createClient: expect.any(Function), createService: expect.any(Function) });
  });
});
