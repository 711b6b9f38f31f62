import type { Pool } from "pg";

/** How long a server waits for a connection before it answers 503. */
const maxConnectMs = 5_000;
/** Maximum time of any statement, and of a transaction that stands still. */
const maxStatementMs = 30_000;

/** Creates a pool of connections. The driver is loaded here, because a server with SQLite does without it. */
export async function createPool(url: string, max: number): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: maxConnectMs,
    statement_timeout: maxStatementMs,
    idle_in_transaction_session_timeout: maxStatementMs,
    keepAlive: true,
    types: { getTypeParser: typeParserOf(pg.types) },
    application_name: "accord",
  });
  // A broken connection is replaced when the next one is needed. If a query is waiting on it, that query fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** `bigint`, and `numeric` of a sum of them. Ids and counts stay below 2^53. */
const numbers = [20, 1700];

function typeParserOf({ getTypeParser }: typeof import("pg").types): typeof getTypeParser {
  const parserOf = (type: number, format?: string) =>
    numbers.includes(type) ? Number : getTypeParser(type, format as "text");
  return parserOf as typeof getTypeParser;
}
