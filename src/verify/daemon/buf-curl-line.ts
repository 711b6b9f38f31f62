import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonRpc } from "../../contract/daemon/rpcs.js";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { parseDaemonAddress } from "../../daemon/daemon-address.js";
import { shellWord } from "../../shell-word.js";
import { protoFolder } from "./proto-folder.js";
import { maskRequest } from "./report-mask.js";

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
