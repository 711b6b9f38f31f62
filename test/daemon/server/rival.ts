import { randomBytes } from "node:crypto";
import { type Listener, listenOnSocket } from "../../../src/daemon/server/listen-on.js";

// One of several processes that listen on the same socket at the same instant. It sends its name to every client.
const id = randomBytes(8).toString("hex");
let listener: Listener | undefined;

process.on("message", async (order: { readonly listenOn: string; readonly at: number } | "close") => {
  if (order === "close") {
    await listener?.close();
    listener = undefined;
    process.send?.({ id });
    return;
  }
  // Messages arrive one after the other, but all processes share the clock.
  while (Date.now() < order.at);
  try {
    listener = await listenOnSocket(order.listenOn, (connection) => connection.on("error", () => {}).end(id));
    process.send?.({ id, listens: true });
  } catch (error) {
    process.send?.({ id, listens: false, refusal: String(error) });
  }
});
process.send?.({ id });
