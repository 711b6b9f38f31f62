import type { IncomingMessage, ServerResponse } from "node:http";
import { parseJson } from "../../../src/base/parse-json.js";
import { receiveBody, SlowBodyError } from "../../../src/http/receive-body.js";
import { writeJson } from "../http/node-http.js";
import type { States } from "./create-states.js";
import { StateError } from "./state-setup.js";

/** Maximum bytes of a request body. */
const maxBodyBytes = 1024 * 1024;

/**
 * Serves `POST /states`, as described in `openapi/states.yaml`. A teardown does nothing, because each test has its own
 * organization.
 */
export async function serveStates(states: States, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST") return refuse(response, 405, "Use POST");
  const text = await readText(request);
  if (text === "gone") return;
  if (text === "slow") return refuse(response, 408, "The body arrived too slowly");
  const body = text && parseJson(text.toString("utf8"));
  if (typeof body !== "object" || body === null)
    return refuse(response, 400, "The body must be a JSON object {state, params, action}");
  const { state, params = {}, action } = body as Record<string, unknown>;
  if (typeof state !== "string" || typeof params !== "object" || params === null)
    return refuse(response, 400, "`state` must be a name and `params` an object");
  if (action !== "setup" && action !== "teardown")
    return refuse(response, 400, "`action` must be `setup` or `teardown`");
  if (action === "teardown") return writeJson(response, 200, "{}");
  try {
    writeJson(response, 200, JSON.stringify(await states.setup(state, params as Record<string, unknown>)));
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    refuse(response, 400, error.message);
  }
}

function refuse(response: ServerResponse, status: number, msg: string): void {
  writeJson(response, status, JSON.stringify({ msg }));
}

/** Reads the body; undefined if it is too large, "gone" if the client disconnected, and "slow" if it stalled. */
async function readText(request: IncomingMessage): Promise<Buffer | "gone" | "slow" | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of receiveBody(request)) {
      length += piece.length;
      if (length > maxBodyBytes) return undefined;
      pieces.push(piece);
    }
  } catch (error) {
    return error instanceof SlowBodyError ? "slow" : "gone";
  }
  return Buffer.concat(pieces);
}
