import type { JsonObject } from "@bufbuild/protobuf";
import { shellWord } from "../../base/shell-word.js";
import { methodOf, type RpcContract } from "../../contract/rpc/contract.js";
import { hasUrl } from "../../contract/rpc/evidence.js";
import { pathOfMethod, type RpcNames, renamedServices } from "../../contract/rpc/names.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { maskMessage } from "./report-mask.js";

/** What commands name of the server under test, and of its contract. */
export interface RepeatedTarget {
  readonly contract: RpcContract;
  readonly address: string;
  readonly protocol: RpcProtocol;
  /** The names of the services, if they differ from those of the contract. */
  readonly names?: RpcNames;
  /** The metadata of calls, as commands show it. Defaults to none. */
  readonly metadata?: { readonly shown: readonly string[] };
}

/** A call and its destination. */
export interface BufCurlCall extends RepeatedTarget {
  readonly rpc: string;
  /** ProtoJSON. Its secret fields are masked. */
  readonly request: JsonObject;
}

/**
 * Formats the command that repeats a call of a check, given by its id: `buf curl` for a call without a URL. The host of a URL exists only
 * while the case runs, and reports do not show URLs, so `accord verify` repeats a call with a URL; `buf curl` follows in a comment, for use
 * with another URL. It also follows for a server with other names, because it then needs server reflection.
 */
export function repeatCommand(check: string, call: BufCurlCall): string {
  const curl = bufCurlLine(call);
  const { contract, address, protocol, names = {} } = call;
  const isRenamed = hasOtherNames(call);
  const isAboutUrl = hasUrl(call.request);
  if (!isAboutUrl && !isRenamed) return curl;
  const words = [
    ...["accord", "verify", contract.name, address],
    ...(protocol === "grpc" ? [] : ["--protocol", protocol]),
    ...(names.package === undefined ? [] : ["--package", names.package]),
    ...Object.entries(names.services ?? {}).flatMap(([from, to]) => ["--service", `${from}=${to}`]),
  ];
  const degree = contract.isRead(call.rpc) ? [] : ["--disposable"];
  const verify = [...words, ...degree, "--only", check].map(shellWord).join(" ");
  const reason = isAboutUrl ? "The host of the URL exists only during a run. " : "";
  const conditions = [...(isAboutUrl ? ["with another URL"] : []), ...(isRenamed ? ["by server reflection"] : [])].join(
    " and ",
  );
  return `${verify}\n# ${reason}${conditions.charAt(0).toUpperCase()}${conditions.slice(1)}: ${curl}`;
}

/**
 * Formats the `buf curl` command that repeats a call, quoted for a POSIX shell, with `***` for everything secret.
 *
 * It names a schema, because a server need not support server reflection; for a server with other names, it relies on reflection, because
 * the schema lacks these names. Throws a `TypeError` if the address is malformed.
 */
export function bufCurlLine(call: BufCurlCall): string {
  const { contract, address, protocol, rpc, request, names } = call;
  const where = parseRpcAddress(address);
  const method = methodOf(contract, rpc);
  const isPlain = where.kind === "socket" || !where.secure;
  const words = [
    ...["buf", "curl", ...(hasOtherNames(call) ? [] : ["--schema", contract.schema])],
    ...["--protocol", protocol === "grpc-web" ? "grpcweb" : protocol],
    ...(protocol === "grpc" && isPlain ? ["--http2-prior-knowledge"] : []),
    ...(where.kind === "socket" ? ["--unix-socket", where.path] : []),
    ...(call.metadata?.shown ?? []).flatMap((line) => ["--header", line]),
    ...["--data", JSON.stringify(maskMessage(method.input, request, contract.isSecret))],
    `${where.kind === "socket" ? "http://localhost" : where.origin}/${pathOfMethod(method, names)}`,
  ];
  return words.map(shellWord).join(" ");
}

function hasOtherNames({ contract, names = {} }: RepeatedTarget): boolean {
  return renamedServices(contract.files, names).size > 0;
}
