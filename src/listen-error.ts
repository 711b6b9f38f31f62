import { UsageError } from "./usage-error.js";

/** The address cannot be had; the message says which, why and what to do. */
export class ListenError extends UsageError {
  override readonly name = "ListenError";
}

/** Makes a `ListenError` of the error with which a server failed to take a TCP port. */
export function portError(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  return new ListenError(explain(error, host, port));
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is already in use. Stop what listens there, or choose another port (0 takes a free one)`;
    case "EACCES":
      return `Port ${port} on ${host} needs more rights. Choose one above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`;
  }
}
