import type { StructuredNode } from "./structured-node.js";

type Fields = Record<string, unknown>;

/** Writes a node as an item of `proxies` in Clash. */
export function clashProxy(node: StructuredNode): Fields {
  const { settings, transport } = node;
  const types = { shadowsocks: "ss" } as const;
  const type = node.protocol === "shadowsocks" ? types.shadowsocks : node.protocol;
  const networks: Readonly<Record<string, string>> = { websocket: "ws", httpupgrade: "ws", http: "h2", grpc: "grpc" };
  const network = networks[transport];
  const choosesTls = node.protocol === "vless" || node.protocol === "vmess";
  return withoutUndefined({
    name: node.name,
    type,
    server: node.server,
    port: node.port,
    cipher: settings.method,
    password: settings.password,
    uuid: settings.uuid,
    "private-key": settings.privatekey,
    "public-key": settings.publickey,
    "pre-shared-key": settings.presharedkey,
    tls: choosesTls ? node.security === "tls" : undefined,
    [choosesTls ? "servername" : "sni"]: settings.sni,
    "skip-cert-verify": node.checksCertificate ? undefined : true,
    network,
    "ws-opts":
      network === "ws"
        ? withoutUndefined({ path: settings.path, "v2ray-http-upgrade": transport === "httpupgrade" })
        : undefined,
    "grpc-opts": network === "grpc" ? withoutUndefined({ "grpc-service-name": settings.serviceName }) : undefined,
  });
}

/** Writes a node as an outbound of sing-box, or as an endpoint if it is WireGuard. */
export function singBoxOutbound(node: StructuredNode): Fields {
  const { settings } = node;
  if (node.protocol === "wireguard") {
    const peer = {
      address: node.server,
      port: node.port,
      public_key: settings.publickey,
      pre_shared_key: settings.presharedkey,
    };
    return { type: "wireguard", tag: node.name, private_key: settings.privatekey, peers: [peer] };
  }
  const transports: Readonly<Record<string, string>> = {
    websocket: "ws",
    httpupgrade: "httpupgrade",
    http: "http",
    grpc: "grpc",
  };
  const type = transports[node.transport];
  return withoutUndefined({
    type: node.protocol,
    tag: node.name,
    server: node.server,
    server_port: node.port,
    method: settings.method,
    password: settings.password,
    uuid: settings.uuid,
    tls:
      node.security === "tls"
        ? withoutUndefined({ enabled: true, insecure: !node.checksCertificate, server_name: settings.sni })
        : undefined,
    transport:
      type === undefined
        ? undefined
        : withoutUndefined({ type, path: settings.path, service_name: settings.serviceName }),
  });
}

/** Writes a Shadowsocks node as a server of SIP008. */
export function sip008Server({ name, server, port, settings }: StructuredNode): Fields {
  return { id: "27b8a625-4f4b-4428-9f0f-8a2317db7c79", remarks: name, server, server_port: port, ...settings };
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
