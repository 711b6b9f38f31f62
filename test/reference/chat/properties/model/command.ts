import type fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../../../../support/answer-of.js";
import type { ChatModel, ModelMessage, Person } from "./chat-model.js";
import type { Session } from "./session.js";

export type ChatCommand = fc.AsyncCommand<ChatModel, Session>;

/** Creates a command that prints as its name and arguments. */
export function command(
  name: string,
  given: object,
  run: (model: ChatModel, real: Session) => Promise<void>,
  check: (model: ChatModel) => boolean = () => true,
): ChatCommand {
  return { check, run, toString: () => `${name} ${JSON.stringify(given)}` };
}

/** One of the existing messages. */
export function messageAt(model: ChatModel, nth: number): ModelMessage {
  const message = model.messages[nth % model.messages.length];
  if (message === undefined) throw new Error("there are no messages");
  return message;
}

export function hasMessages({ messages }: ChatModel): boolean {
  return messages.length > 0;
}

/** Expects a refusal: 401 once the account is deactivated, otherwise 400. */
export function expectRefusal(model: ChatModel, person: Person, { status, body }: Answer): void {
  expect({ status, result: body.result }).toEqual({ status: model.active.has(person) ? 400 : 401, result: "error" });
}

/** Expects a call to succeed, and returns its body. */
export function expectSuccess({ status, body }: Answer): Answer["body"] {
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: "" });
  return body;
}
