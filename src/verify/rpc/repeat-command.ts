import { isAbsolute, relative } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { findPackageFile, packageFile } from "../../contract/package-file.js";
import type { DaemonCase } from "../../contract/rpc/cases.js";
import type { DaemonRpc } from "../../contract/rpc/rpcs.js";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { parseDaemonAddress } from "../../daemon/daemon-address.js";
import { hasOtherNames, pathOfRpc, type ServiceNames } from "../../daemon/service-names.js";
import { shellWord } from "../../shell-word.js";
import { idOf } from "./case-check.js";
import { maskRequest } from "./report-mask.js";

/**
 * Formats the command that repeats a call of a case: `buf curl` for a call without a URL. The host of a URL exists only while the case
 * runs, and reports do not show URLs, so `accord verify` repeats a call with a URL; `buf curl` follows in a comment, for use with another
 * URL. It also follows for a daemon with other names, because it then needs server reflection.
 */
export function repeatCommand(one: Pick<DaemonCase, "name">, call: BufCurlCall): string {
  const curl = bufCurlLine(call);
  const { address, protocol, names = {} } = call;
  const isRenamed = hasOtherNames(names);
  if (call.request.url === undefined && !isRenamed) return curl;
  const words = [
    ...["accord", "verify", "daemon", address],
    ...(protocol === "grpc" ? [] : ["--protocol", protocol]),
    ...(names.package === undefined ? [] : ["--package", names.package]),
    ...(names.meshService === undefined ? [] : ["--mesh-service", names.meshService]),
  ];
  const verify = [...words, "--only", idOf(one)].map(shellWord).join(" ");
  const reason = call.request.url === undefined ? "" : "The host of the URL exists only during a run. ";
  const conditions = [
    ...(call.request.url === undefined ? [] : ["with another URL"]),
    ...(isRenamed ? ["by server reflection"] : []),
  ].join(" and ");
  return `${verify}\n# ${reason}${conditions.charAt(0).toUpperCase()}${conditions.slice(1)}: ${curl}`;
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
  /** The names of the services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
}

/**
 * Formats the `buf curl` command that repeats a call, quoted for a POSIX shell, with `***` for everything secret in the URL.
 *
 * It names a schema, because a daemon need not support server reflection; for a daemon with other names, it relies on reflection, because
 * the schema lacks these names. Throws a `TypeError` if the address is malformed.
 */
export function bufCurlLine(call: BufCurlCall): string {
  const { address, protocol, rpc, request, schema = protoFolder(), names = {} } = call;
  const where = parseDaemonAddress(address);
  const isPlain = where.kind === "socket" || !where.secure;
  const words = [
    ...["buf", "curl", ...(hasOtherNames(names) ? [] : ["--schema", schema])],
    ...["--protocol", protocol === "grpc-web" ? "grpcweb" : protocol],
    ...(protocol === "grpc" && isPlain ? ["--http2-prior-knowledge"] : []),
    ...(where.kind === "socket" ? ["--unix-socket", where.path] : []),
    ...["--data", JSON.stringify(maskRequest(request))],
    `${where.kind === "socket" ? "http://localhost" : where.origin}/${pathOfRpc(rpc, names)}`,
  ];
  return words.map(shellWord).join(" ");
}

/**
 * Finds the folder with the `.proto` files of this package; in a bundle, the one in `node_modules`. Relative to the working directory if it
 * is inside.
 */
export function protoFolder(): string {
  if (findPackageFile("proto/proxydaemon/v1/proxy_subscriptions.proto") === undefined)
    return "node_modules/accord-contracts/proto";
  const folder = packageFile("proto");
  const shown = relative(process.cwd(), folder);
  return shown.startsWith("..") || isAbsolute(shown) ? folder : shown;
}
