import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { listenOn } from "../../../dist/src/server/listen-on.js";

// One of several processes that listen on the same socket at the same instant. It sends its name to every client. In JavaScript, because a
// TypeScript loader would take longer to start than all of its work.
const id = randomBytes(8).toString("hex");
const neverNotified = new Int32Array(new SharedArrayBuffer(4));
let listener;

process.on("message", async (order) => {
  if (order === "close") {
    await listener?.close();
    listener = undefined;
    process.send({ id });
    return;
  }
  // Messages arrive one after the other, but all processes share the clock. The last milliseconds are not left to the scheduler.
  Atomics.wait(neverNotified, 0, 0, order.at - Date.now() - 3);
  while (Date.now() < order.at);
  try {
    listener = await listenOn({ socket: order.listenOn }, () => {
      const server = createServer((connection) => connection.on("error", () => {}).end(id));
      return { server, close: () => new Promise((done) => server.close(done)) };
    });
    process.send({ id, listens: true });
  } catch (error) {
    process.send({ id, listens: false, refusal: String(error) });
  }
});
process.send({ id });
