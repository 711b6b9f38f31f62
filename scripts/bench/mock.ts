import { startChildServer } from "./child-server.js";
import { freePort } from "./free-port.js";
import { compare, throughput } from "./measure.js";

/** Requests per second and start time of our mock and of the Prism CLI, each serving the same profile in its own process. */
export async function benchMock(): Promise<string[]> {
  const [ourPort, peerPort] = [await freePort(), await freePort()];
  const ourUrl = `http://127.0.0.1:${ourPort}/api/v1`;
  const peerUrl = `http://127.0.0.1:${peerPort}/api/v1`;
  const prism = ["node_modules/@stoplight/prism-cli/dist/index.js", "mock", "-p", String(peerPort), "-v", "error"];
  const ours = await startChildServer(
    ["dist/reference/cli/main.js", "mock", "chat", "--port", String(ourPort)],
    `${ourUrl}/server_settings`,
  );
  const peer = await startChildServer([...prism, "generated/chat/openapi.prism.json"], `${peerUrl}/server_settings`);
  const rows = [
    `mock start           ${ours.startMilliseconds.toFixed(0)} ms, Prism CLI ${peer.startMilliseconds.toFixed(0)} ms`,
  ];
  const headers = {
    Authorization: `Basic ${btoa("me@example.com:key")}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const calls: [string, (url: string) => Promise<Response>][] = [
    ["GET /messages", (url) => fetch(`${url}/messages?anchor=newest&num_before=20&num_after=0`, { headers })],
    ["PATCH /messages/21", (url) => fetch(`${url}/messages/21`, { method: "PATCH", headers, body: "content=hello" })],
  ];
  for (const [name, call] of calls) {
    const rate = (url: string) => () => throughput(1500, async () => (await call(url)).arrayBuffer());
    const result = await compare(3, rate(ourUrl), rate(peerUrl));
    rows.push(
      `mock ${name.padEnd(18)} ${result.ours.toFixed(0)} requests/s, Prism CLI ${result.peer.toFixed(0)}, ratio ${result.ratio.toFixed(2)}`,
    );
  }
  await Promise.all([ours.stop(), peer.stop()]);
  return rows;
}
