import type { ServerResponse } from "node:http";
import { loadCases } from "../../chat/contract.js";
import { allowReading, answerPreflight, isPreflight } from "../../http/cors.js";
import { createEnvelopeServer, errorEnvelope } from "../../http/envelope-server.js";
import { sendText } from "../../http/send-text.js";
import { type Listening, type ListenOptions, listen } from "../../listen.js";
import { createAnswerRequest } from "./answer-request.js";
import { type Answer, createPrism } from "./create-prism.js";

const methods = ["DELETE", "GET", "PATCH", "POST"];

/**
 * Serves the chat API without state, from the examples of the contract.
 *
 * A request that equals the request of a case gets the response of that case; any other valid request gets the first successful
 * example. `Prefer: example=unknown_channel` or `Prefer: code=400` selects another documented response. Accepts any credentials. Every
 * error has the API's envelope.
 *
 * Rejects with a `PrismMissingError` if Prism is not installed, and with a `ListenError` if it cannot listen on the address.
 */
export async function createChatMock(options: ListenOptions = {}): Promise<Listening> {
  const profile = new URL("../../../generated/chat/openapi.prism.json", import.meta.url);
  const answerRequest = createAnswerRequest(await loadCases(), createPrism(profile));
  const server = createEnvelopeServer((request, response) => {
    // The mock holds no private data, so pages of any origin may call it.
    if (isPreflight(request)) return answerPreflight(request, response, { origin: "*", methods });
    allowReading(response, "*");
    answerRequest(request).then(
      (answer) => write(response, answer),
      (error: Error) =>
        write(response, { status: 500, headers: {}, body: errorEnvelope(`The mock failed: ${error.message}`) }),
    );
  });
  return listen(server, options);
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    ...(text === "" ? {} : { "Content-Type": "application/json" }),
    "Content-Length": Buffer.byteLength(text),
  });
  sendText(response, text);
}
