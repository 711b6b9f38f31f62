import { describe, expect, it } from "vitest";
import { createFetchHandler, reusable, unimplementedHandlers } from "../../../src/chat/server/index.js";

const headers = { Authorization: `Basic ${btoa("iago@example.com:key")}` };

/** Creates a function that requests a page from a server. The server returns these results in order, then an empty page. */
function createPageRequest(...results: readonly { messages: never[]; anchor: number; [field: string]: unknown }[]) {
  const left = [...results];
  const page = { messages: [], anchor: 0, found_newest: true, found_oldest: true, found_anchor: false };
  const handle = createFetchHandler({
    authenticate: () => ({}),
    handlers: {
      ...unimplementedHandlers(),
      getMessages: () => {
        return (left.shift() ?? page) as never;
      },
    },
  });
  return async (more = "") => {
    const path = `/api/v1/messages?anchor=newest&num_before=1&num_after=0${more}`;
    const response = await handle(new Request(`http://localhost${path}`, { headers }));
    return response.json();
  };
}

describe("a result that a handler returns twice", () => {
  it("is serialized once if it is reusable", async () => {
    const messages: unknown[] = [];
    const fixed = reusable({ messages: messages as never[], anchor: 7 });
    const ask = createPageRequest(fixed, fixed);
    const answers = [await ask()];
    messages.push({ id: 1 });
    answers.push(await ask());
    expect(answers).toEqual(Array(2).fill({ result: "success", msg: "", messages: [], anchor: 7 }));
  });

  it("is distinguished from an equal result", async () => {
    const ask = createPageRequest(reusable({ messages: [], anchor: 7 }), reusable({ messages: [], anchor: 8 }));
    expect([(await ask()).anchor, (await ask()).anchor]).toEqual([7, 8]);
  });

  it("does not leak ignored parameters from one request to another", async () => {
    const fixed = reusable({ messages: [], anchor: 7 });
    const ask = createPageRequest(fixed, fixed, fixed);
    expect(await ask()).not.toHaveProperty("ignored_parameters_unsupported");
    expect(await ask("&colour=red")).toHaveProperty("ignored_parameters_unsupported", ["colour"]);
    expect(await ask()).not.toHaveProperty("ignored_parameters_unsupported");
  });

  it("is serialized again if it is not marked", async () => {
    const changing = { messages: [] as never[], anchor: 7 };
    const ask = createPageRequest(changing, changing);
    expect((await ask()).anchor).toBe(7);
    changing.anchor = 8;
    expect((await ask()).anchor).toBe(8);
  });

  it("is serialized again if it is frozen", async () => {
    const messages: unknown[] = [];
    const frozen = Object.freeze({ messages: messages as never[], anchor: 7 });
    const ask = createPageRequest(frozen, frozen);
    expect((await ask()).messages).toEqual([]);
    messages.push({ id: 1 });
    expect((await ask()).messages).toEqual([{ id: 1 }]);
  });

  it("is sent completely every time if it is long and reusable", async () => {
    const messages = Array.from({ length: 2000 }, (_, id) => ({ id, content: "x".repeat(500) }));
    const long = reusable({ messages: messages as never[], anchor: 7 });
    const ask = createPageRequest(long, long);
    expect(await ask()).toEqual({ result: "success", msg: "", messages, anchor: 7 });
    expect((await ask()).messages).toHaveLength(2000);
  });
});
