import { isIPv4 } from "node:net";
import { InvalidArgumentError, Option } from "commander";
import { UsageError } from "../base/usage-error.js";

const loopback = "127.0.0.1";

/** `--host` of a command that serves. */
export function hostOption(): Option {
  return new Option("--host <address>", "address or host name to listen on").default(loopback).argParser(parseHost);
}

function parseHost(text: string): string {
  // Node would listen on every address.
  if (text.trim() === "") throw new InvalidArgumentError("It must be an address, such as 0.0.0.0, or a host name.");
  return text.replace(/^\[(.*)\]$/, "$1");
}

/** Whether only this machine can reach a host. False for a name other than `localhost`, whatever it resolves to. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** Throws a `UsageError` if a host other than the default is given without a TCP port, where it would have no effect. */
export function requirePort(host: string, port: number | undefined): void {
  if (host !== loopback && port === undefined) throw new UsageError("--host needs --port: a socket has no host");
}

/** Prints a warning if other machines can reach the host. `risk` is a sentence that says what they can do. */
export function warnBeyondLoopback(host: string, risk: string): void {
  if (isLoopback(host)) return;
  process.stderr.write(`accord: warning: other machines can reach this server at ${host}. ${risk}\n`);
}
