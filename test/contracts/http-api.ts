import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as handlers get it. */
export interface ApiRequest {
  /** The groups of the route's pattern, percent-decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** As sent: empty, or with the question mark in front. */
  readonly rawQuery: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** The response of a handler. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An operation of an API. */
export interface Route {
  readonly operation: string;
  readonly method: string;
  /** Matches the whole path. */
  readonly path: RegExp;
  readonly handle: (request: ApiRequest) => ApiAnswer;
}

/** A mistake that a server can make on purpose. */
export interface Fault {
  /** What the server does. */
  readonly does: string;
  /** The rule that it breaks, or the operation whose response is not as documented. */
  readonly blames: string;
  /** The mistake, if the response alone shows it: what becomes of the responses of an operation. */
  readonly spoil?: { readonly operation: string; readonly change: (answer: ApiAnswer) => ApiAnswer };
}

/** A running server. */
export interface RunningApi {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Serves routes on a free port of the loopback interface. `refuse` answers what no route matches. */
export async function serveRoutes(
  routes: readonly Route[],
  {
    fault,
    refuse,
  }: { readonly fault?: Fault | undefined; readonly refuse: (status: 404 | 405 | 500, title: string) => ApiAnswer },
): Promise<RunningApi> {
  const answer = (method: string, url: URL, { headers }: IncomingMessage, body: Buffer): ApiAnswer => {
    const matching = routes.filter(({ path }) => path.test(url.pathname));
    const route = matching.find((one) => one.method === method);
    if (route === undefined) {
      return matching.length === 0 ? refuse(404, "Not found") : refuse(405, "Method not allowed");
    }
    const path = [...(route.path.exec(url.pathname) ?? [])].slice(1).map(decodeURIComponent);
    const given = orRefusal(() => route.handle({ path, query: url.searchParams, rawQuery: url.search, headers, body }));
    return fault?.spoil?.operation === route.operation ? fault.spoil.change(given) : given;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? "/", "http://localhost");
    let given: ApiAnswer;
    try {
      given = answer(request.method ?? "GET", url, request, Buffer.concat(chunks));
    } catch (error) {
      given = refuse(500, String(error));
    }
    response.writeHead(given.status, given.headers).end(given.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns what a handler returns, or the response with which it refuses the request. */
function orRefusal(handle: () => ApiAnswer): ApiAnswer {
  try {
    return handle();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** Thrown by handlers to answer at once. */
export class Refusal extends Error {
  readonly answer: ApiAnswer;

  constructor(answer: ApiAnswer) {
    super(`status ${answer.status}`);
    this.answer = answer;
  }
}

/** Changes the JSON body of a success; other responses stay as they are. */
export function changeJson<Body>(change: (body: Body) => unknown): (answer: ApiAnswer) => ApiAnswer {
  return (answer) =>
    answer.status >= 300 ? answer : { ...answer, body: JSON.stringify(change(JSON.parse(String(answer.body)))) };
}

/** Leaves out or sets headers of successes: those whose value is undefined are left out. */
export function changeHeaders(changes: Readonly<Record<string, string | undefined>>): (answer: ApiAnswer) => ApiAnswer {
  return (answer) => {
    if (answer.status >= 300) return answer;
    const headers = Object.entries({ ...answer.headers, ...changes }).filter(([, value]) => value !== undefined);
    return { ...answer, headers: Object.fromEntries(headers) as Record<string, string> };
  };
}
