/** The proxy protocols, in the spelling of `ProxySubscriptionNodePreview.protocol`. */
export type Protocol =
  | "trojan"
  | "vless"
  | "vmess"
  | "shadowsocks"
  | "shadowsocksr"
  | "hysteria"
  | "hysteria2"
  | "tuic"
  | "wireguard"
  | "anytls"
  | "socks"
  | "http"
  | "naive"
  | "ssh"
  | "snell"
  | "mieru"
  | "juicity"
  | "shadowtls";

/** What carries the protocol. */
export type Transport = "tcp" | "udp" | "websocket" | "grpc" | "http" | "httpupgrade" | "xhttp" | "kcp" | "quic";

/** What protects the connection to the server, beside the protocol's own encryption. */
export type Security = "none" | "tls" | "reality";

/** A proxy server and how to use it. */
export interface ProxyNode {
  readonly protocol: Protocol;
  /** What people call it. Empty when the entry has no name. */
  readonly name: string;
  /** A host name or an IP address, without brackets. */
  readonly server: string;
  /** From 1 to 65535; with a range of ports, the first. */
  readonly port: number;
  readonly transport: Transport;
  readonly security: Security;
  /** False when the entry asks for the server's certificate not to be checked. */
  readonly checksCertificate: boolean;
  /**
   * What else is needed to use the server, under the names of share links, such as `password`, `uuid`, `method`, `sni`, `path`.
   * Secrets are among them, so it is stored and never shown.
   */
  readonly settings: Readonly<Record<string, string>>;
}
