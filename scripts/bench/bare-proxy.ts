import { Agent, createServer, request as send } from "node:http";

// `bare-proxy.ts PORT TARGET-PORT`: forwards requests and does nothing else, a lower bound for the work of a proxy.
const [port = "0", target = "0"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
createServer((request, response) => {
  const { method, url, headers } = request;
  const outgoing = send({ agent, host: "127.0.0.1", port: target, method, path: url, headers }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    incoming.pipe(response);
  });
  request.pipe(outgoing);
}).listen(Number(port), "127.0.0.1");
