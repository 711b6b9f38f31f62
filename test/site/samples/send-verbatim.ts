import { connect } from "node:net";

/** Sends the text of an HTTP request over a new connection, and waits for the response. */
export function sendVerbatim(url: string, shown: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const [, head = "", body = ""] = /^([\s\S]*?)(?:\n\n([\s\S]*))?$/.exec(shown) ?? [];
  const isMultipart = head.includes("multipart/");
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(300_000, () => socket.destroy(new Error(`No answer to ${shown}`)));
    socket.once("data", () => socket.end());
    socket.once("error", reject);
    socket.once("close", () => resolve());
    const text = `${head}\n\n${isMultipart ? `${body}\n` : body}`;
    const lines = isMultipart
      ? withCrlf(text)
      : text.replace(`${head}\n\n`, `${head.replaceAll("\n", "\r\n")}\r\n\r\n`);
    socket.write(lines);
  });
}

/** The lines of a multipart request with CRLF, except those of the file, which follow the empty line of its part. */
function withCrlf(text: string): string {
  const [head = "", ...parts] = text.split(/(?=^--accord-boundary)/m);
  const ofParts = parts.map((part) => {
    const [, headers = "", content = ""] = /^([\s\S]*?)\n\n([\s\S]*)\n$/.exec(part) ?? [];
    return headers === "" ? part.replaceAll("\n", "\r\n") : `${headers.replaceAll("\n", "\r\n")}\r\n\r\n${content}\r\n`;
  });
  return `${head.replaceAll("\n", "\r\n")}${ofParts.join("")}`;
}
