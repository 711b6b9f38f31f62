import { existsSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase } from "../../contract/daemon/cases.js";
import type { DaemonRpc } from "../../contract/daemon/rpcs.js";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { parseDaemonAddress } from "../../daemon/daemon-address.js";
import { shellWord } from "../../shell-word.js";
import { maskRequest } from "./report-mask.js";
import { idOf } from "./select-cases.js";

/**
 * Formats the command that repeats a call of a case: `buf curl` for a call without a URL. The host of a URL exists only while the case
 * runs, and reports do not show URLs, so `accord verify` repeats a call with a URL; `buf curl` follows in a comment, for use with another
 * URL.
 */
export function repeatCommand(one: Pick<DaemonCase, "name">, call: BufCurlCall): string {
  const curl = bufCurlLine(call);
  if (call.request.url === undefined) return curl;
  const { address, protocol } = call;
  const words = ["accord", "verify", "daemon", address, ...(protocol === "grpc" ? [] : ["--protocol", protocol])];
  const verify = [...words, "--only", idOf(one)].map(shellWord).join(" ");
  return `${verify}\n# The host of the URL exists only during a run. With another URL: ${curl}`;
}

/** A call and its destination. */
export interface BufCurlCall {
  readonly address: string;
  readonly protocol: DaemonProtocol;
  readonly rpc: DaemonRpc;
  /** ProtoJSON. Its URL is masked. */
  readonly request: JsonObject;
  /** The folder with the `.proto` files. Defaults to that of this package. */
  readonly schema?: string;
}

/**
 * Formats the `buf curl` command that repeats a call, quoted for a POSIX shell, with `***` for everything secret in the URL.
 *
 * It names a schema, because a daemon need not support server reflection. Throws a `TypeError` if the address is malformed.
 */
export function bufCurlLine(call: BufCurlCall): string {
  const { address, protocol, rpc, request, schema = protoFolder() } = call;
  const where = parseDaemonAddress(address);
  const isPlain = where.kind === "socket" || !where.secure;
  const words = [
    ...["buf", "curl", "--schema", schema, "--protocol", protocol === "grpc-web" ? "grpcweb" : protocol],
    ...(protocol === "grpc" && isPlain ? ["--http2-prior-knowledge"] : []),
    ...(where.kind === "socket" ? ["--unix-socket", where.path] : []),
    ...["--data", JSON.stringify(maskRequest(request))],
    `${where.kind === "socket" ? "http://localhost" : where.origin}/daemon.v1.${rpc}`,
  ];
  return words.map(shellWord).join(" ");
}

/**
 * Finds the folder with the `.proto` files of this package: three folders up in a checkout, four in the built package, otherwise (in a
 * bundle) in `node_modules`. Relative to the working directory if it is inside.
 */
export function protoFolder(): string {
  for (const path of ["../../../proto", "../../../../proto"]) {
    const folder = fileURLToPath(new URL(path, import.meta.url));
    if (!existsSync(`${folder}/daemon/v1/proxy_subscriptions.proto`)) continue;
    const shown = relative(process.cwd(), folder);
    return shown.startsWith("..") || isAbsolute(shown) ? folder : shown;
  }
  return "node_modules/accord-contracts/proto";
}
