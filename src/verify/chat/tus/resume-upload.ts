import { setTimeout as delay } from "node:timers/promises";
import type { TusClient, TusResponse } from "./create-tus-client.js";

/** What came of an upload that was cut. */
export type Resumption =
  | { readonly kind: "done"; readonly problems: readonly string[] }
  | { readonly kind: "skipped"; readonly reason: string };

const text = "Every byte that has arrived needs not be sent again.";
/** How much is sent before the part that is cut, and how much of that. */
const [first, beforeCut] = [16, 10];

/** How often, and after how many milliseconds, a server is asked again that is still busy with what was cut. */
const attempts = 20;
const pauseMs = 100;

/**
 * Uploads a part, cuts the connection in the midst of the next, asks how much has arrived and sends the rest from there. Gives what is
 * wrong with the responses, a sentence each. Source: tus 1.0.0, core protocol.
 */
export async function resumeUpload(client: TusClient, signal: AbortSignal): Promise<Resumption> {
  const created = await client.create(text.length);
  const { location, fault } = created;
  if (fault !== undefined) return { kind: "done", problems: [`the creation of the upload: ${fault}`] };
  if (created.status !== 201 || location === undefined) {
    return { kind: "skipped", reason: `no upload could be created: status ${created.status}` };
  }
  if (location.origin !== client.endpoint.origin) {
    // A key is sent to nobody but the server that is verified.
    const where = location.origin === "null" ? location.protocol : location.origin;
    return { kind: "done", problems: [`Location: the upload is at another origin than the API, ${where}`] };
  }
  const problems = partProblems("the first part", await client.patch(location, 0, text.slice(0, first)), first);
  if (problems.length > 0) return { kind: "done", problems };
  await client.cutPatch(location, first, text.slice(first), beforeCut);
  return { kind: "done", problems: await resume(client, location, signal) };
}

/** Asks and sends until the server has let go of what was cut. */
async function resume(client: TusClient, location: URL, signal: AbortSignal): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const asked = await client.head(location);
    const { offset } = asked;
    const isLast = attempt === attempts;
    if (!isBusy(asked) || isLast) {
      const problems = offsetProblems(asked);
      if (offset === undefined || problems.length > 0) return problems;
      const wrong = await client.patch(location, offset + 1, text.slice(offset + 1));
      if (wrong.fault !== undefined) return [`a part that does not begin where the others end: ${wrong.fault}`];
      if (wrong.status !== 409 && !(isBusy(wrong) && !isLast)) {
        return [`a part that does not begin where the others end: expected status 409, got ${wrong.status}`];
      }
      const rest = await client.patch(location, offset, text.slice(offset));
      // The bytes before the cut may have been written meanwhile.
      const isBehind = rest.status === 409 || isBusy(rest);
      if (!isBehind || isLast) return restProblems(rest);
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/** Whether an upload is locked by the request that was cut. Source: tus 1.0.0 leaves it open; servers answer 423 (RFC 4918). */
function isBusy({ status }: TusResponse): boolean {
  return status === 423;
}

function partProblems(what: string, { status, offset, headers, fault }: TusResponse, want: number): string[] {
  if (fault !== undefined) return [`${what}: ${fault}`];
  if (status !== 204) return [`${what}: expected status 204, got ${status}`];
  const problems = versionProblems(what, headers);
  return offset === want ? problems : [...problems, `${what}: expected Upload-Offset ${want}, got ${offset ?? "none"}`];
}

/** Servers tell with the last part what became of the upload, in a body and so with status 200. */
function restProblems(rest: TusResponse): string[] {
  return partProblems("the rest", rest.status === 200 ? { ...rest, status: 204 } : rest, text.length);
}

function offsetProblems({ status, offset, headers, fault }: TusResponse): string[] {
  const what = "how much has arrived after the cut";
  if (fault !== undefined) return [`${what}: ${fault}`];
  if (status !== 200 && status !== 204) return [`${what}: expected status 200, got ${status}`];
  const problems = versionProblems(what, headers);
  const most = first + beforeCut;
  if (offset === undefined || offset < first || offset > most) {
    problems.push(`${what}: expected Upload-Offset from ${first} to ${most}, got ${offset ?? "none"}`);
  }
  const length = headers.get("Upload-Length");
  if (length !== String(text.length)) {
    problems.push(`${what}: expected Upload-Length ${text.length}, got ${length ?? "none"}`);
  }
  if (!/\bno-store\b/i.test(headers.get("Cache-Control") ?? "")) {
    problems.push(`${what}: expected Cache-Control with no-store, so that the answer is never an old one`);
  }
  return problems;
}

function versionProblems(what: string, headers: Headers): string[] {
  const version = headers.get("Tus-Resumable");
  return version === "1.0.0" ? [] : [`${what}: expected Tus-Resumable 1.0.0, got ${version ?? "none"}`];
}
