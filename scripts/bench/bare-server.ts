import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// `bare-server.ts PORT FILE`: answers every request with the bytes of a file, a lower bound for the work of a server.
const [port = "0", file = ""] = process.argv.slice(2);
const body = readFileSync(file);
createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
  response.end(body);
}).listen(Number(port), "127.0.0.1");
