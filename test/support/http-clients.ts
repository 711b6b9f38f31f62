import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A request with a body that the server is expected to refuse. */
export interface LargeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The file that holds the body. */
  readonly file: string;
  readonly isChunked?: boolean;
}

/** Sends a request several times in sequence. Returns the status of each response, or the error of the client. */
export type HttpClient = (request: LargeRequest, times: number) => Promise<(number | string)[]>;

const run = promisify(execFile);
const options = { maxBuffer: 16 * 1024 * 1024 };

/** Programs with different HTTP clients. */
export const httpClients: Readonly<Record<string, HttpClient>> = {
  "Node's fetch": async ({ url, headers, file, isChunked }, times) => {
    const bytes = await readFile(file);
    const answers: (number | string)[] = [];
    for (let count = 0; count < times; count++) {
      const body = isChunked ? new Blob([new Uint8Array(bytes)]).stream() : bytes;
      const init = { method: "POST", headers, body: body as BodyInit, duplex: "half" };
      answers.push(await fetch(url, init).then(statusOf, ({ cause, message }: Error) => String(cause ?? message)));
    }
    return answers;
  },

  curl: async ({ url, headers, file, isChunked }, times) => {
    const all = { Expect: "", ...(isChunked ? { "Transfer-Encoding": "chunked" } : {}), ...headers };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const one = ["-sS", "-X", "POST", ...flags, "--data-binary", `@${file}`, "-o", "-", "-w", "\n%{http_code}", url];
    const answers: (number | string)[] = [];
    for (let count = 0; count < times; count++) {
      answers.push(
        await run("curl", one, options).then(
          ({ stdout }) => lastStatus(stdout),
          ({ stderr }) => stderr,
        ),
      );
    }
    return answers;
  },

  "Python's http.client": async ({ url, headers, file, isChunked }, times) => {
    const { stdout } = await run(
      "python3",
      ["-c", pythonClient, url, JSON.stringify(headers), file, isChunked ? "1" : "", String(times)],
      options,
    );
    return stdout
      .trim()
      .split("\n")
      .map((line) => (/^\d+$/.test(line) ? Number(line) : line));
  },
};

/** The status of a response, after its body has arrived. */
async function statusOf(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}

function lastStatus(output: string): number {
  return Number(output.split("\n").at(-1));
}

const pythonClient = `
import http.client, json, sys, urllib.parse
url, headers, file, chunked, times = urllib.parse.urlparse(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
body = open(file, "rb").read()
pieces = lambda: (body[at:at + 4096] for at in range(0, len(body), 4096))
for _ in range(times):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    try:
        connection.request("POST", url.path, pieces() if chunked else body, headers, encode_chunked=bool(chunked))
        answer = connection.getresponse()
        answer.read()
        print(answer.status)
    except Exception as error:
        print(repr(error))
    finally:
        connection.close()
`;
