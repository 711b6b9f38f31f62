import { expectTypeOf } from "vitest";
import { type ChatHandlers, type Handler, refuse, refuseUndocumented } from "../../../src/chat/server/index.js";

interface Caller {
  readonly id: number;
}

// Checked by the compiler in `npm run lint`; nothing here runs.
export const unsubscribe: Handler<"unsubscribe", Caller> = ({ parameters, caller }) => {
  expectTypeOf(parameters.subscriptions).toEqualTypeOf<string[]>();
  expectTypeOf(caller).toEqualTypeOf<Caller>();
  // @ts-expect-error: the operation has no such parameter.
  parameters.subscription;
  if (caller.id === 1) return refuse(400, { code: "STREAM_DOES_NOT_EXIST", msg: "No such channel", stream: "x" });
  if (caller.id === 2) return refuseUndocumented(429, { code: "RATE_LIMIT_HIT", msg: "Slow down" });
  return { removed: [], not_removed: [] };
};

const noStream = refuse(400, { code: "STREAM_DOES_NOT_EXIST", msg: "No such channel" });
// @ts-expect-error: an error with this code needs `stream`.
export const withoutStream: Handler<"unsubscribe", Caller> = () => noStream;

const noChannel = refuse(400, { code: "STREAM_DOES_NOT_EXIST", msg: "No such channel", stream: "x" });
// @ts-expect-error: the operation does not document this code.
export const otherCode: Handler<"muteUser", Caller> = () => noChannel;

const forbidden = refuse(403, { code: "BAD_REQUEST", msg: "No" });
// @ts-expect-error: the operation documents this code with status 400.
export const otherStatus: Handler<"muteUser", Caller> = () => forbidden;

// @ts-expect-error: `not_removed` is missing.
export const withoutField: Handler<"unsubscribe", Caller> = () => ({ removed: [] });

export const nothing: Handler<"muteUser", Caller> = async () => {};

// @ts-expect-error: every operation must be implemented.
export const incomplete: ChatHandlers<Caller> = { unsubscribe };
