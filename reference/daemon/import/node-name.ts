import type { ProxyNode } from "./proxy-node.js";

/** What a node is called: its name, or its server and port when it has none. */
export function nodeName({ name, server, port }: ProxyNode): string {
  if (name !== "") return name;
  return `${server.includes(":") ? `[${server}]` : server}:${port}`;
}
