import type { ProxyNode, Security, Transport } from "../import/proxy-node.js";

/** Why the runtime does not support a node, or undefined when it does: it speaks Trojan over TLS on TCP. */
function unsupported({ protocol, transport, security }: ProxyNode): string | undefined {
  if (protocol !== "trojan") return `The runtime does not support ${protocol}.`;
  if (transport !== "tcp") return `The runtime does not support trojan over ${transportNames[transport]}.`;
  if (security !== "tls") return `The runtime does not support trojan ${securityNames[security]}.`;
  return undefined;
}

const transportNames: Readonly<Record<Exclude<Transport, "tcp">, string>> = {
  udp: "UDP",
  websocket: "WebSocket",
  grpc: "gRPC",
  http: "HTTP",
  httpupgrade: "HTTP Upgrade",
  xhttp: "XHTTP",
  kcp: "KCP",
  quic: "QUIC",
};

const securityNames: Readonly<Record<Exclude<Security, "tls">, string>> = {
  none: "without TLS",
  reality: "with REALITY",
};

/** Whether the runtime supports a node, and what people should know before they select it. */
export function runtimeSupport(node: ProxyNode): {
  readonly runtimeSupported: boolean;
  readonly warnings: readonly string[];
} {
  const problem = unsupported(node);
  const unchecked = node.checksCertificate ? undefined : "The certificate of the server is not checked.";
  return {
    runtimeSupported: problem === undefined,
    warnings: [problem, unchecked].filter((warning) => warning !== undefined),
  };
}
