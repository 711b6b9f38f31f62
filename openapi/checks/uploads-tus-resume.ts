import { setTimeout as delay } from "node:timers/promises";
import { type CheckedServer, defineCheck, type HttpExchange, parseUrl } from "../../src/checks.js";

const text = "Bytes that have arrived once need not be sent again.";
const version = { "Tus-Resumable": "1.0.0" };
/** The sizes in bytes: of the first part, and of the piece of the second part that is sent before the cut. */
const [first, beforeCut] = [16, 10];
/** How often, and after how many milliseconds, to ask again while the server still processes the interrupted request. */
const [maxAttempts, pauseMs] = [20, 100];

/** In code, because it calculates offsets and asks again while the server is busy. Source: tus 1.0.0, core protocol. */
export const uploadsTusResume = defineCheck({
  id: "workflow uploads-tus-resume",
  operation: "uploads",
  summary: "An upload is resumed after its connection was cut",
  rules: ["uploads.tus.resumable"],
  reliesOn: ["uploads.tus.created", "uploads.tus.location", "uploads.tus.tus-resumable"],
  run: async (server) => {
    await server.setUp("organization");
    const headers = { ...version, "Upload-Length": String(text.length) };
    const created = await server.send({ method: "POST", url: "/api/v1/tus", as: "member", headers });
    if (created.fault !== undefined) return server.fail(`the creation of the upload: ${created.fault}`);
    const header = created.headers.get("Location");
    const location = header === null ? undefined : parseUrl(header, created.url)?.href;
    if (created.status !== 201 || location === undefined)
      return server.skip(`no upload could be created: status ${created.status}`);
    const problems = partProblems("the first part", await server.send(part(location, 0, first)), first);
    if (problems.length === 0) {
      await server.cut(part(location, first), beforeCut);
      problems.push(...(await resume(server, location)));
    }
    for (const problem of problems) server.fail(problem);
  },
});

function part(url: string, offset: number, end?: number) {
  const type = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
  const body = { text: text.slice(offset, end) };
  return { method: "PATCH", url, as: "member", headers: { ...version, ...type }, body };
}

/** Asks and sends until the server has released the interrupted request. Describes what is wrong, one sentence each. */
async function resume({ send, signal }: CheckedServer, url: string): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const asked = await send({ method: "HEAD", url, as: "member", headers: version });
    const offset = offsetOf(asked);
    const isLast = attempt === maxAttempts;
    if (!isBusy(asked) || isLast) {
      const problems = offsetProblems(asked);
      if (offset === undefined || problems.length > 0) return problems;
      const wrong = await send(part(url, offset + 1));
      if (wrong.fault !== undefined) return [`a part with a wrong offset: ${wrong.fault}`];
      if (wrong.status !== 409 && !(isBusy(wrong) && !isLast))
        return [`a part with a wrong offset: expected status 409, got ${wrong.status}`];
      const rest = await send(part(url, offset));
      // The server may have written the bytes before the cut in the meantime.
      const isBehind = rest.status === 409 || isBusy(rest);
      // A server may describe the finished upload in the response to the last part, which then has a body and status 200.
      if (!isBehind || isLast) return partProblems("the rest", rest, text.length, [200, 204]);
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/** Whether the interrupted request still locks the upload. tus 1.0.0 leaves the status open; servers answer 423 (RFC 4918). */
function isBusy({ status }: HttpExchange): boolean {
  return status === 423;
}

function offsetOf({ headers }: HttpExchange): number | undefined {
  const text = headers.get("Upload-Offset") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function partProblems(
  what: string,
  response: HttpExchange,
  offset: number,
  statuses: readonly number[] = [204],
): string[] {
  if (response.fault !== undefined) return [`${what}: ${response.fault}`];
  if (!statuses.includes(response.status)) return [`${what}: expected status 204, got ${response.status}`];
  const got = offsetOf(response);
  const wrong = got === offset ? [] : [`${what}: expected Upload-Offset ${offset}, got ${got ?? "none"}`];
  return [...versionProblems(what, response), ...wrong];
}

function offsetProblems(asked: HttpExchange): string[] {
  const what = "the offset after the cut";
  if (asked.fault !== undefined) return [`${what}: ${asked.fault}`];
  if (asked.status !== 200 && asked.status !== 204) return [`${what}: expected status 200, got ${asked.status}`];
  const problems = versionProblems(what, asked);
  const [offset, max] = [offsetOf(asked), first + beforeCut];
  if (offset === undefined || offset < first || offset > max)
    problems.push(`${what}: expected Upload-Offset from ${first} to ${max}, got ${offset ?? "none"}`);
  const length = asked.headers.get("Upload-Length");
  if (length !== String(text.length))
    problems.push(`${what}: expected Upload-Length ${text.length}, got ${length ?? "none"}`);
  if (!/\bno-store\b/i.test(asked.headers.get("Cache-Control") ?? ""))
    problems.push(`${what}: expected Cache-Control with no-store, so that no cache answers`);
  return problems;
}

function versionProblems(what: string, { headers }: HttpExchange): string[] {
  const got = headers.get("Tus-Resumable");
  return got === "1.0.0" ? [] : [`${what}: expected Tus-Resumable 1.0.0, got ${got ?? "none"}`];
}
