import type { ServerResponse } from "node:http";
import { type Listening, type ListenOptions, listen } from "../../base/listen.js";
import { type ContractDocument, methods } from "../../contract/rest/document.js";
import { withExactIntegers } from "../../contract/rest/reading/exact-integers.js";
import { allowReading, answerPreflight, isPreflight } from "../../http/cors.js";
import { createEnvelopeServer } from "../../http/envelope-server.js";
import { isJsonType } from "../../http/media-type.js";
import { sendText } from "../../http/send-text.js";
import { isSequential, writeSequence } from "../../http/sequential.js";
import { createAnswerRequest } from "./answer-request.js";
import type { MockResponse } from "./create-responder.js";
import { createErrorBody } from "./error-body.js";

/** Where a mock listens, and whom it answers. */
export interface RestMockOptions extends ListenOptions {
  /** Whether the credentials of a stranger are as good as any. Defaults to false. */
  readonly acceptsStrangers?: boolean;
  /** Is told of each request that is refused, and why. */
  readonly onRefused?: (line: string) => void;
}

/**
 * Serves a REST API without state, from the examples and schemas of its contract, below the path of its first server.
 *
 * A request that equals the request of a case gets the response of that case; any other valid request gets the first successful example,
 * or else a body that fits the schema. `Prefer: example=unknown_channel` or `Prefer: code=400` selects another documented response. Accepts
 * any credentials of the right kind but those of a stranger, 32 times `x`.
 *
 * Rejects with a `UsageError` if Ajv is not installed, and with a `ListenError` if it cannot listen on the address.
 */
export async function createRestMock(document: ContractDocument, options: RestMockOptions = {}): Promise<Listening> {
  const answerRequest = createAnswerRequest(document, options.acceptsStrangers);
  const errorBody = createErrorBody(document);
  const formatError = (message: string) => {
    const { mediaType, body } = errorBody(400, message);
    return { type: mediaType, text: JSON.stringify(body) };
  };
  const server = createEnvelopeServer((request, response) => {
    // The mock holds no private data, so pages of any origin may call it.
    if (isPreflight(request))
      return answerPreflight(request, response, {
        origin: "*",
        methods: methods.map((method) => method.toUpperCase()),
      });
    allowReading(response, "*");
    answerRequest(request)
      .then((answer) => {
        if (answer.reason !== undefined)
          options.onRefused?.(`${request.method} ${request.url}: ${answer.status}: ${answer.reason}`);
        write(response, answer);
      })
      .catch((error: Error) => {
        const status = 500;
        write(response, { status, headers: {}, ...errorBody(status, `The mock failed: ${error.message}`) });
      });
  }, formatError);
  return listen(server, options);
}

/** Statuses whose responses have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** A body as text. A value with a structure has none in a media type that the mock does not write, such as XML. */
function bodyText(mediaType: string, body: unknown): string {
  if (isJsonType(mediaType)) return withExactIntegers(JSON.stringify(body));
  if (typeof body === "string") return body;
  if (isSequential(mediaType)) return writeSequence(mediaType, [body].flat());
  return typeof body === "object" ? "" : String(body);
}

/** Says why a request is refused where no body can. */
const reasonHeader = "Accord-Reason";
const maxReasonLength = 500;

function write(response: ServerResponse, { status, headers: given, mediaType, body, reason }: MockResponse): void {
  const text = reason?.slice(0, maxReasonLength).replaceAll(/[^ -~]/g, "?");
  const headers = text === undefined || mediaType !== undefined ? given : { ...given, [reasonHeader]: text };
  if (mediaType === undefined || bodiless.has(status)) {
    response.writeHead(status, { ...headers, ...(bodiless.has(status) ? {} : { "Content-Length": 0 }) });
    return void response.end();
  }
  const written = bodyText(mediaType, body);
  response.writeHead(status, {
    ...headers,
    "Content-Type": mediaType,
    "Content-Length": Buffer.byteLength(written),
  });
  sendText(response, written);
}
