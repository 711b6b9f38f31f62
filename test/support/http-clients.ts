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

/** Sends requests in sequence, each on a new connection. Returns the status of each response, or the error of the client. */
export type HttpClient = (requests: readonly LargeRequest[]) => Promise<(number | string)[]>;

const run = promisify(execFile);
const options = { maxBuffer: 16 * 1024 * 1024 };

/** Programs with different HTTP clients, and what each needs. One process sends all requests, because starting it takes longer than most of them. */
export const httpClients: readonly {
  readonly name: string;
  readonly needs: readonly string[];
  readonly send: HttpClient;
}[] = [
  {
    name: "Node's fetch",
    needs: [],
    send: async (requests) => {
      const answers: (number | string)[] = [];
      for (const { url, headers, file, isChunked } of requests) {
        const bytes = await readFile(file);
        const body = isChunked ? new Blob([new Uint8Array(bytes)]).stream() : bytes;
        const init = { method: "POST", headers, body: body as BodyInit, duplex: "half" };
        answers.push(await fetch(url, init).then(statusOf, ({ cause, message }: Error) => String(cause ?? message)));
      }
      return answers;
    },
  },

  {
    name: "curl",
    needs: ["curl"],
    send: async (requests) => {
      const transfers = requests.map(({ url, headers, file, isChunked }, index) => {
        const target = new URL(url);
        const { host } = target;
        // Another name for the same address each time, so that curl does not reuse a connection.
        target.hostname = `request-${index}.localhost`;
        const all = { Host: host, Expect: "", ...(isChunked ? { "Transfer-Encoding": "chunked" } : {}), ...headers };
        const flags = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
        const result = "\nresult: %{errormsg}%{http_code}\n";
        return ["-4", "-sS", "-X", "POST", ...flags, "--data-binary", `@${file}`, "-w", result, target.href];
      });
      // The exit code is that of the last transfer.
      const { stdout } = await run("curl", transfers.flatMap((one) => ["--next", ...one]).slice(1), options).catch(
        (failure: { readonly stdout: string }) => failure,
      );
      return [...stdout.matchAll(/^result: (.*)$/gm)].map(([, result = ""]) => toAnswer(result));
    },
  },

  {
    name: "Python's http.client",
    needs: ["python3"],
    send: async (requests) => {
      const { stdout } = await run("/usr/bin/python3", ["-c", pythonClient, JSON.stringify(requests)], options);
      return stdout.trim().split("\n").map(toAnswer);
    },
  },
];

/** The status of a response, after its body has arrived. */
async function statusOf(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}

function toAnswer(result: string): number | string {
  return /^\d+$/.test(result) ? Number(result) : result;
}

const pythonClient = `
import http.client, json, sys, urllib.parse
for request in json.loads(sys.argv[1]):
    url, chunked = urllib.parse.urlparse(request["url"]), request.get("isChunked", False)
    body = open(request["file"], "rb").read()
    pieces = (body[at:at + 4096] for at in range(0, len(body), 4096))
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    try:
        connection.request("POST", url.path, pieces if chunked else body, request["headers"], encode_chunked=chunked)
        answer = connection.getresponse()
        answer.read()
        print(answer.status)
    except Exception as error:
        print(repr(error))
    finally:
        connection.close()
`;
