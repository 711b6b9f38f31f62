import { setTimeout as delay } from "node:timers/promises";
import type { TusClient, TusResponse } from "./create-tus-client.js";

/** The result of resuming an interrupted upload. */
export type Resumption =
  | { readonly kind: "done"; readonly problems: readonly string[] }
  | { readonly kind: "skipped"; readonly reason: string };

const text = "Bytes that have arrived once need not be sent again.";
/** The sizes in bytes: of the first part, and of the piece of the second part that is sent before the cut. */
const [first, beforeCut] = [16, 10];

/** How often, and after how many milliseconds, to ask again while the server still processes the interrupted request. */
const maxAttempts = 20;
const pauseMs = 100;

/**
 * Uploads a part, cuts the connection during the next, asks for the offset and sends the rest from there. Describes what is wrong with the
 * responses, one sentence each. Source: tus 1.0.0, core protocol.
 */
export async function resumeUpload(client: TusClient, signal: AbortSignal): Promise<Resumption> {
  const created = await client.create(text.length);
  const { location, fault } = created;
  if (fault !== undefined) return { kind: "done", problems: [`the creation of the upload: ${fault}`] };
  if (created.status !== 201 || location === undefined) {
    return { kind: "skipped", reason: `no upload could be created: status ${created.status}` };
  }
  if (location.origin !== client.endpoint.origin) {
    // Send the key only to the verified server.
    const where = location.origin === "null" ? location.protocol : location.origin;
    return { kind: "done", problems: [`Location: the upload is at an origin other than that of the API, ${where}`] };
  }
  const problems = partProblems("the first part", await client.patch(location, 0, text.slice(0, first)), first);
  if (problems.length > 0) return { kind: "done", problems };
  await client.cutPatch(location, first, text.slice(first), beforeCut);
  return { kind: "done", problems: await resume(client, location, signal) };
}

/** Asks and sends until the server has released the interrupted request. */
async function resume(client: TusClient, location: URL, signal: AbortSignal): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const asked = await client.head(location);
    const { offset } = asked;
    const isLast = attempt === maxAttempts;
    if (!isBusy(asked) || isLast) {
      const problems = offsetProblems(asked);
      if (offset === undefined || problems.length > 0) return problems;
      const wrong = await client.patch(location, offset + 1, text.slice(offset + 1));
      if (wrong.fault !== undefined) return [`a part with a wrong offset: ${wrong.fault}`];
      if (wrong.status !== 409 && !(isBusy(wrong) && !isLast)) {
        return [`a part with a wrong offset: expected status 409, got ${wrong.status}`];
      }
      const rest = await client.patch(location, offset, text.slice(offset));
      // The server may have written the bytes before the cut in the meantime.
      const isBehind = rest.status === 409 || isBusy(rest);
      if (!isBehind || isLast) return restProblems(rest);
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/** Whether the interrupted request still locks the upload. Source: tus 1.0.0 leaves this open; servers answer 423 (RFC 4918). */
function isBusy({ status }: TusResponse): boolean {
  return status === 423;
}

function partProblems(what: string, { status, offset, headers, fault }: TusResponse, want: number): string[] {
  if (fault !== undefined) return [`${what}: ${fault}`];
  if (status !== 204) return [`${what}: expected status 204, got ${status}`];
  const problems = versionProblems(what, headers);
  return offset === want ? problems : [...problems, `${what}: expected Upload-Offset ${want}, got ${offset ?? "none"}`];
}

/** A server may describe the finished upload in the response to the last part, which then has a body and status 200. */
function restProblems(rest: TusResponse): string[] {
  return partProblems("the rest", rest.status === 200 ? { ...rest, status: 204 } : rest, text.length);
}

function offsetProblems({ status, offset, headers, fault }: TusResponse): string[] {
  const what = "the offset after the cut";
  if (fault !== undefined) return [`${what}: ${fault}`];
  if (status !== 200 && status !== 204) return [`${what}: expected status 200, got ${status}`];
  const problems = versionProblems(what, headers);
  const maxOffset = first + beforeCut;
  if (offset === undefined || offset < first || offset > maxOffset) {
    problems.push(`${what}: expected Upload-Offset from ${first} to ${maxOffset}, got ${offset ?? "none"}`);
  }
  const length = headers.get("Upload-Length");
  if (length !== String(text.length)) {
    problems.push(`${what}: expected Upload-Length ${text.length}, got ${length ?? "none"}`);
  }
  if (!/\bno-store\b/i.test(headers.get("Cache-Control") ?? "")) {
    problems.push(`${what}: expected Cache-Control with no-store, so that no cache answers`);
  }
  return problems;
}

function versionProblems(what: string, headers: Headers): string[] {
  const version = headers.get("Tus-Resumable");
  return version === "1.0.0" ? [] : [`${what}: expected Tus-Resumable 1.0.0, got ${version ?? "none"}`];
}
