import type { RpcProtocol } from "../../wire/rpc-transport.js";

/** The encoding of messages. */
export type Codec = "proto" | "json";

/** The protocol and encoding that a content type names. */
export interface CallForm {
  readonly protocol: RpcProtocol;
  readonly codec: Codec;
  /** Whether the body is base64, as in `application/grpc-web-text`. */
  readonly isText: boolean;
}

const contentType = /^application\/(?:(grpc-web-text|grpc-web|grpc)(?:\+(proto|json))?|(proto|json))[ \t]*(?:;.*)?$/i;

/** The form of a call or response. Undefined for any other content type. */
export function formOf(header: string | undefined): CallForm | undefined {
  const [, grpc = "", codec = "proto", connect] =
    contentType.exec(header ?? "")?.map((part) => part?.toLowerCase()) ?? [];
  if (connect !== undefined)
    return { protocol: "connect", codec: connect === "json" ? "json" : "proto", isText: false };
  if (grpc === "") return undefined;
  return {
    protocol: grpc === "grpc" ? "grpc" : "grpc-web",
    codec: codec === "json" ? "json" : "proto",
    isText: grpc === "grpc-web-text",
  };
}

/** Whether a content type is that of a streaming Connect call. The contract has no streaming RPC. */
export function isConnectStream(header: string | undefined): boolean {
  return /^application\/connect\+/i.test(header ?? "");
}
