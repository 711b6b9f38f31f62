import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A network between two programs. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections, and refuses new ones until `mend`. */
  readonly cut: () => void;
  /** Delays all bytes from now on, in each direction; 0 to stop. */
  readonly slow: (milliseconds: number) => void;
  /** Passes no byte on, and breaks no connection, until `mend`. */
  readonly freeze: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy in front of a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const frozen: (() => void)[] = [];
  let state: "open" | "cut" | "frozen" = "open";
  let delayMs = 0;

  function pass(from: Socket, to: Socket): void {
    // A chain, so that no bytes overtake others.
    let last = Promise.resolve();
    from.on("data", (bytes) => {
      last = last.then(async () => {
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (state === "frozen") await new Promise<void>((resolve) => frozen.push(resolve));
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on("error", () => to.destroy());
    sockets.add(from);
  }

  const server = createServer((client) => {
    if (state === "cut") return void client.destroy();
    const upstream = connect({ host: "127.0.0.1", port: target });
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const mend = () => {
    state = "open";
    for (const resume of frozen.splice(0)) resume();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = "cut";
      breakAll();
    },
    slow: (milliseconds) => {
      delayMs = milliseconds;
    },
    freeze: () => {
      state = "frozen";
    },
    mend,
    close: async () => {
      mend();
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
