import { createServer } from "node:http";
import { type Listening, listen } from "../../../../src/listen.js";

/** A request that goes through. */
export interface PassingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly authorization?: string;
  readonly type?: string;
  readonly body: Buffer;
}

/** What comes back. */
export interface PassingAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Users of organizations that provider states have made. */
export interface KnownUser {
  readonly organization: string;
  readonly caller: string;
  readonly userId: number;
  readonly authorization: string;
  /** The ids of messages of the organization. */
  readonly messageIds: readonly number[];
}

/** What a server does otherwise than the one behind it. */
export interface Fault {
  /** Answers by itself, changes the request, or leaves it. */
  readonly request?: (request: PassingRequest, users: readonly KnownUser[]) => PassingRequest | PassingAnswer;
  readonly answer?: (answer: PassingAnswer, request: PassingRequest) => PassingAnswer;
}

/** Starts a server that is as the one behind it, but for the fault. `url` serves the chat API and the provider states. */
export async function startFaultyServer(behind: { readonly url: string }, fault: Fault): Promise<Listening> {
  const users: KnownUser[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const { method = "GET", url: target = "/", headers } = incoming;
    const { authorization, "content-type": type } = headers;
    const asked: PassingRequest = {
      ...{ method, target, body: Buffer.concat(pieces) },
      ...(authorization === undefined ? {} : { authorization }),
      ...(type === undefined ? {} : { type }),
    };
    const isChat = target.startsWith("/api/");
    const passed = (isChat ? fault.request?.(asked, users) : undefined) ?? asked;
    const came = "status" in passed ? passed : await forward(behind.url, passed);
    if (!isChat) users.push(...usersOf(JSON.parse(came.text)));
    const answer = isChat ? (fault.answer?.(came, asked) ?? came) : came;
    outgoing.writeHead(answer.status, { ...answer.headers, "Content-Type": answer.type }).end(answer.text);
  });
  return listen(server);
}

async function forward(
  url: string,
  { method, target, authorization, type, body }: PassingRequest,
): Promise<PassingAnswer> {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(type === undefined ? {} : { "Content-Type": type }),
    },
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  return { status: response.status, type: response.headers.get("Content-Type") ?? "", text: await response.text() };
}

interface SetUp {
  readonly organization: string;
  readonly credentials?: Readonly<Record<string, { user_id: number; email: string; api_key: string }>>;
  readonly message_ids?: readonly number[];
}

function usersOf({ organization, credentials = {}, message_ids: messageIds = [] }: SetUp): KnownUser[] {
  return Object.entries(credentials).map(([caller, { user_id: userId, email, api_key: key }]) => ({
    ...{ organization, caller, userId, messageIds },
    authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`,
  }));
}

/** An answer in JSON. */
export function answerJson(status: number, body: object): PassingAnswer {
  return { status, type: "application/json", text: JSON.stringify(body) };
}

/** The fields of a form. */
export function fieldsOf({ body }: PassingRequest): URLSearchParams {
  return new URLSearchParams(body.toString("utf8"));
}
