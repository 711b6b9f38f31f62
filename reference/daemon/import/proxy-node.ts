/** The proxy protocols, as spelled in `ProxySubscriptionNodePreview.protocol`. */
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

/** The transport of the protocol. */
export type Transport = "tcp" | "udp" | "websocket" | "grpc" | "http" | "httpupgrade" | "xhttp" | "kcp" | "quic";

/** The security of the connection to the server, besides the encryption of the protocol itself. */
export type Security = "none" | "tls" | "reality";

/** A proxy server and how to use it. */
export interface ProxyNode {
  readonly protocol: Protocol;
  /** The displayed name. Empty if the entry has no name. */
  readonly name: string;
  /** A host name or an IP address, without brackets. */
  readonly server: string;
  /** From 1 to 65535; the first port of a range. */
  readonly port: number;
  readonly transport: Transport;
  readonly security: Security;
  /** False if the entry turns off the check of the server's certificate. */
  readonly checksCertificate: boolean;
  /**
   * Other settings for using the server, named as in share links, such as `password`, `uuid`, `method`, `sni`, `path`.
   * They include secrets, so they are stored and never shown.
   */
  readonly settings: Readonly<Record<string, string>>;
}
