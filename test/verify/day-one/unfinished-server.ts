import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { listen } from "../../../src/base/listen.js";

/** How a server answers a request of an operation that it does not have. */
export type Missing = (request: IncomingMessage, response: ServerResponse) => void;

const json = (status: number, body: unknown): Missing => {
  return (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };
};

/** The ways in which routers and frameworks answer. */
export const missingInWays: Readonly<Record<string, Missing>> = {
  "404 in HTML": ({ url }, response) => {
    response.writeHead(404, { "Content-Type": "text/html" }).end(`<h1>Not Found</h1><p>${url} was not found.</p>`);
  },
  "404 in the JSON of a framework": ({ method, url }, response) => {
    json(404, { message: `Cannot ${method} ${url}`, error: "Not Found", statusCode: 404 })(
      {} as IncomingMessage,
      response,
    );
  },
  "404 in the envelope of the API": json(404, { result: "error", msg: "Unknown endpoint", code: "BAD_REQUEST" }),
  "400 in the envelope of the API": json(400, { result: "error", msg: "Bad request", code: "BAD_REQUEST" }),
  "501": (_, response) => {
    response.writeHead(501).end();
  },
  "405 of a router": (_, response) => {
    response.writeHead(405, { Allow: "OPTIONS" }).end();
  },
  "200 with an error page": (_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Something is wrong here</h1>");
  },
};

/** Whether a request is of `addDefaultChannel`, `removeDefaultChannel` or `muteUser`. */
export function hasThreeOperations(method: string, path: string): boolean {
  return path === "/api/v1/default_streams" || (method === "POST" && path.startsWith("/api/v1/users/me/muted_users/"));
}

/** Starts a server that has only some operations, by method and path, until the test is finished. `rewrite` changes the requests that it gets. */
export async function startUnfinishedServer(
  has: (method: string, path: string) => boolean,
  missing: Missing,
  rewrite: (url: string) => string = (url) => url,
): Promise<{ readonly url: string; readonly statesUrl: string }> {
  const whole = await createChatReference({ states: true });
  onTestFinished(whole.close);
  const server = await listen(
    createServer((incoming, response) => {
      const { method = "", url = "", headers } = incoming;
      if (!has(method, url.split("?", 1)[0] ?? "")) {
        incoming.resume();
        missing(incoming, response);
        return;
      }
      const outgoing = request(`${whole.url}${rewrite(url)}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
        answer.pipe(response);
      });
      outgoing.on("error", () => response.destroy());
      incoming.pipe(outgoing);
    }),
  );
  onTestFinished(server.close);
  return { url: `${server.url}/api/v1`, statesUrl: whole.statesUrl ?? "" };
}
