import type { Registry } from "@bufbuild/protobuf";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { nearestNames } from "../../contract/nearest-names.js";
import { namedMethods, type RpcContract, type RpcMethod } from "../../contract/rpc/contract.js";
import { pathOfMethod, type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import { decompress, type Read, type Unreadable } from "../recorded/decompress.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { type DecodedMessage, decodeMessage } from "./decode-message.js";
import { type CallFraming, formOf, plainBody, readFrames, readOnlyMessage } from "./framing.js";
import { type ReadAnswer, readAnswer } from "./read-answer.js";

/** The destination of a request. */
export type RpcDestination =
  | { readonly kind: "rpc"; readonly method: RpcMethod }
  /** An RPC that the contract lacks. `name` is safe to show; `nearest` are the paths of similar RPCs. */
  | { readonly kind: "unknown"; readonly name: string; readonly nearest: readonly string[] }
  /** Something outside the contract, such as server reflection. */
  | { readonly kind: "outside" };

/** Finds the destination of a request by its method and target. */
export type RouteCall = (method: string, target: string) => RpcDestination;

/**
 * Creates a router of the RPCs of the contract. `names` are the names of the services, if they differ from those of the contract. Throws a
 * `CouldNotRunError` if one is malformed.
 */
export function createCallRouter({ files, methods }: RpcContract, names: RpcNames = {}): RouteCall {
  try {
    renamedServices(files, names);
  } catch (error) {
    throw error instanceof TypeError ? new CouldNotRunError(error.message) : error;
  }
  const byPath = new Map(methods.map((one) => [`/${pathOfMethod(one.method, names)}`, one]));
  const paths = [...byPath.keys()];
  const all = new Set(namedMethods(files).map(({ method }) => `/${pathOfMethod(method, names)}`));
  return (method, target) => {
    const [path = ""] = target.split("?", 1);
    const found = byPath.get(path);
    // A preflight of a browser is not a call.
    if (method === "OPTIONS") return { kind: "outside" };
    if (found !== undefined) return { kind: "rpc", method: found };
    const [, service] = /^\/((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\/[A-Za-z_]\w*$/.exec(path) ?? [];
    // Services such as health and reflection come with gRPC. Streaming RPCs of the contract are not judged.
    if (service?.startsWith("grpc.") || all.has(path)) return { kind: "outside" };
    const name = service === undefined || path.length > 200 ? "a path that names no RPC" : path.slice(1);
    return { kind: "unknown", name, nearest: nearestNames(path, paths).map((one) => one.slice(1)) };
  };
}

/** An exchange, decoded according to the contract. */
export interface ReadCall {
  readonly recorded: RecordedExchange;
  readonly destination: RpcDestination;
  /** Undefined if the content type names no protocol. */
  readonly form: CallFraming | undefined;
  /** The request. Undefined unless it has a form and leads to an RPC of the contract. */
  readonly request?: DecodedMessage | (Unreadable & { readonly at: "framing" | "message" });
  /** The response. Undefined unless it is whole and the call has a form. */
  readonly answer?: ReadAnswer;
}

/** Reads an exchange. */
export function readCall(recorded: RecordedExchange, route: RouteCall, registry: Registry): ReadCall {
  const { request, response, interruption } = recorded;
  const { method, target, headers } = request;
  const destination = route(method, target);
  const form = formOf(headers["content-type"]);
  const call = { recorded, destination, form };
  if (destination.kind !== "rpc" || form === undefined) return call;
  const isWhole = response !== undefined && interruption === undefined;
  return {
    ...call,
    request: readRequest(recorded, destination.method, form, registry),
    ...(isWhole ? { answer: readAnswer(destination.method.method, form, response, registry) } : {}),
  };
}

function readRequest(
  { request, interruption }: RecordedExchange,
  { method }: RpcMethod,
  form: CallFraming,
  registry: Registry,
): NonNullable<ReadCall["request"]> {
  const { body, headers } = request;
  if (body === undefined)
    return { kind: "unread", reason: "it is too large, or the server did not read it as a whole", at: "framing" };
  const bytes = readPayload(body, headers, form);
  if (bytes.kind === "fault" && interruption !== undefined)
    return { kind: "unread", reason: interruption, at: "framing" };
  if (bytes.kind !== "read") return { ...bytes, at: "framing" };
  const decoded = decodeMessage(method.input, bytes.value, form.codec, registry);
  return decoded.kind === "message" ? decoded : { ...decoded, at: "message" };
}

function readPayload(body: Uint8Array, headers: Readonly<Record<string, string>>, form: CallFraming): Read<Uint8Array> {
  if (form.protocol === "connect") return decompress(body, headers["content-encoding"]);
  const frames = readFrames(plainBody(body, form));
  return frames.kind === "read" ? readOnlyMessage(frames.value, headers["grpc-encoding"]) : frames;
}
