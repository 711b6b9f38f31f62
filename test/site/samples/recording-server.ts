import { createServer } from "node:http";
import { type Listening, listen } from "../../../src/base/listen.js";

/** A request as received. */
export interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly authorization: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly type: string | undefined;
  readonly body: Buffer;
}

/** A server that records requests. */
export interface RecordingServer extends Listening {
  readonly recorded: readonly Recorded[];
}

/** Starts a server that answers everything with a success. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const recorded: Recorded[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const type = headers["content-type"];
      recorded.push({
        method,
        target: url,
        authorization: headers.authorization,
        headers,
        type,
        body: Buffer.concat(chunks),
      });
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"result":"success","msg":""}');
    });
  });
  return { ...(await listen(server)), recorded };
}
