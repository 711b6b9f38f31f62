/**
 * Rewrites the message of a gRPC status. Connect encodes it like a URL component, but clients such as @grpc/grpc-js do not decode `%3A`
 * and `%2F`. So this encodes only characters that headers cannot contain (Percent-Encoded of
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
 */
export function readableStatus(trailer: Headers): Headers {
  const message = trailer.get("grpc-message");
  if (message === null) return trailer;
  const readable = new Headers(trailer);
  const bytes = Buffer.from(decodeURIComponent(message), "utf8").toString("latin1");
  readable.set(
    "grpc-message",
    bytes.replace(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`),
  );
  return readable;
}
