import type { ChatClient } from "../../src/chat/index.js";
import type { OperationId } from "../../src/chat/operation-types.js";

/** The response of a server to a call. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The client with untyped parameters. */
type UntypedCalls = Readonly<Record<string, (values: object) => Promise<UntypedResult>>>;

interface UntypedResult {
  readonly response: Response;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: Readonly<Record<string, unknown>>;
}

/** Makes a call whose operation and parameters come from a table. Returns status and body of any response. */
export async function answerOf(chat: ChatClient, operationId: OperationId, parameters: object): Promise<Answer> {
  const call = (chat as unknown as UntypedCalls)[operationId];
  if (call === undefined) throw new Error(`the client has no call ${operationId}`);
  const { response, data, error } = await call(parameters);
  return { status: response.status, body: data ?? error ?? {} };
}
