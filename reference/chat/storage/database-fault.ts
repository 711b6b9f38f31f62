import { LongReadError } from "./transactions.js";

/** Why a call failed, if the database is the reason. */
export type DatabaseFault = "unavailable" | "conflict" | "too-long" | "invalid-value";

/** Error codes of PostgreSQL ("Appendix A") by reason. Those of two characters are classes. */
const codes: Readonly<Record<DatabaseFault, readonly string[]>> = {
  // The server is gone, shuts down, starts, or has no more connections.
  unavailable: ["08", "57P01", "57P02", "57P03", "57P05", "53300", "25P03", "25006"],
  conflict: ["40001", "40P01"],
  "too-long": ["57014"],
  // A null byte in a text, a number out of range, or a text that is not a number.
  "invalid-value": ["22021", "22P05", "22003", "22P02"],
};
/** Error codes of sockets that mean `unavailable`. */
const socketCodes = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "EHOSTUNREACH",
];
/** Errors of the driver, which have no codes. */
const driverErrors =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** The reason of a failure; undefined if the database is not the reason. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof LongReadError) return "too-long";
  if (!(error instanceof Error)) return undefined;
  const { code = "", syscall, message } = error as Error & { code?: string; syscall?: string };
  if (driverErrors.test(message)) return "unavailable";
  if (socketCodes.includes(code) && syscall !== "open") return "unavailable";
  const found = Object.entries(codes).find(([, known]) =>
    known.some((one) => (one.length === 2 ? code.length === 5 && code.startsWith(one) : code === one)),
  );
  return found?.[0] as DatabaseFault | undefined;
}
