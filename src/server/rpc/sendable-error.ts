import { ConnectError } from "@connectrpc/connect";

/** Maximum length of a message, so that it fits into a header in every encoding. */
const maxMessageLength = 2_000;

/** Metadata with these names would change how a response is read, or cannot be sent. */
const transportHeaders =
  /^(connection|content-.*|date|grpc-(accept-encoding|encoding|message|status.*|timeout)|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/** Copies an error without its cause, with a message that fits into a header, and without metadata that cannot be sent. */
export function sendableError({ rawMessage, code, metadata, details }: ConnectError): ConnectError {
  // Lone surrogates have no encoding.
  const message = Buffer.from(rawMessage.slice(0, maxMessageLength), "utf8").toString("utf8");
  const kept = new Headers([...metadata].filter(([name]) => !transportHeaders.test(name)));
  const copy = new ConnectError(message, code, kept);
  copy.details = details;
  return copy;
}
