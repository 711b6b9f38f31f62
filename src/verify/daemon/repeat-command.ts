import type { DaemonCase } from "../../contract/daemon/cases.js";
import { shellWord } from "../../shell-word.js";
import { type BufCurlCall, bufCurlLine } from "./buf-curl-line.js";
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
