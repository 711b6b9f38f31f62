import { createReadStream, realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream";
import { type Listening, type ListenOptions, listen } from "../base/listen.js";
import { percentDecodeStrictly } from "../base/percent-decode.js";
import { isAddressed } from "./addressed.js";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Names that contain a digest of the content, so that browsers may cache the file. */
const digestInName = /\/assets\/.*\.[\w-]{8}\.(?:lean\.)?\w+$/;

const refusedName =
  "The documentation is served only to localhost and to the address that it listens on. To use another name, start it with --host <name>\n";

/** Serves the files of a built documentation site to requests that name this machine. Rejects with a `ListenError`. */
export function createDocsServer(folder: string, options: ListenOptions = {}): Promise<Listening> {
  const root = realpathSync(folder);
  const { host = "127.0.0.1" } = options;
  const server = createServer((request, response) => {
    if (isAddressed(request, host)) return answer(root, request, response);
    response.writeHead(403, { "Content-Type": "text/plain" }).end(refusedName);
  });
  server.requestTimeout = 10_000;
  return listen(server, options);
}

function answer(root: string, { method, url = "/" }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "no-referrer");
  if (method !== "GET" && method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD", "Content-Type": "text/plain" }).end("Only GET and HEAD\n");
    return;
  }
  const [path = "/"] = url.split("?");
  const found = findFile(root, path);
  const file = found ?? findFile(root, "/404.html");
  if (file === undefined) {
    response.writeHead(404, { "Content-Type": "text/plain" }).end("Not found\n");
    return;
  }
  response.writeHead(found === undefined ? 404 : 200, {
    "Content-Type": types[extname(file.path)] ?? "application/octet-stream",
    "Content-Length": file.size,
    "Cache-Control": digestInName.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
  });
  if (method === "HEAD") response.end();
  else pipeline(createReadStream(file.path), response, () => {});
}

/** Finds the file of a path: a folder stands for its `index.html`. Undefined if there is none below the root. */
function findFile(root: string, path: string): { readonly path: string; readonly size: number } | undefined {
  const decoded = percentDecodeStrictly(path);
  if (decoded === undefined || decoded.includes("\0")) return undefined;
  try {
    const wanted = realpathSync(join(root, decoded.endsWith("/") ? `${decoded}index.html` : decoded));
    if (!wanted.startsWith(root + sep)) return undefined;
    const { size, isFile } = describe(wanted);
    return isFile ? { path: wanted, size } : undefined;
  } catch {
    return undefined;
  }
}

function describe(path: string): { readonly size: number; readonly isFile: boolean } {
  const stats = statSync(path);
  return { size: stats.size, isFile: stats.isFile() };
}
