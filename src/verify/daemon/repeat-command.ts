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
 * The command that repeats a call of a case. `buf curl` does for a call without a URL. The host of a URL is there only while the case
 * runs, and a report does not show the URL; so such a call is repeated by the verification, and `buf curl` follows in a comment, for
 * use with another URL.
 */
export function repeatCommand(one: Pick<DaemonCase, "name">, call: BufCurlCall): string {
  const curl = bufCurlLine(call);
  if (call.request.url === undefined) return curl;
  const { address, protocol } = call;
  const words = ["accord", "verify", "daemon", address, ...(protocol === "grpc" ? [] : ["--protocol", protocol])];
  const verify = [...words, "--only", idOf(one)].map(shellWord).join(" ");
  return `${verify}\n# The host of the URL is there during a run only. With another URL: ${curl}`;
}

/** A call, and where it goes. */
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
 * The `buf curl` command that repeats a call, shellWord for a POSIX shell, with `***` in the place of what the URL may hold in secrets.
 *
 * It brings its own schema, because a daemon need not have server reflection. Throws a `TypeError` when the address is malformed.
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
 * The folder with the `.proto` files of this package, relative to the working directory when it is below. It is three folders up in a
 * checkout, and four in the built package. Where neither has it, such as in a bundle, it is said to be in `node_modules`.
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
