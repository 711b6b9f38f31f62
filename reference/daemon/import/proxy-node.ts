/** The transport of a protocol. */
export type Transport = "tcp" | "udp" | "websocket" | "grpc" | "http" | "httpupgrade" | "xhttp" | "kcp" | "quic";

/** The security of the connection to the server, besides the encryption of the protocol itself. */
export type Security = "none" | "tls" | "reality";

/** A proxy server and how to use it. */
export interface ProxyNode {
  /** As in `ProxySubscriptionNodePreview.protocol`: the name of a protocol of `protocols.ts`. */
  readonly protocol: string;
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
  /** Everything that the entry says, named as its format names it. Includes secrets, so it is stored and never shown. */
  readonly settings: Settings;
}

/** Settings of a node, as text. */
export type Settings = Readonly<Record<string, string>>;
