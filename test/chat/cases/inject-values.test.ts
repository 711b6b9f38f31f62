import { describe, expect, it } from "vitest";
import { injectValues } from "../../../src/chat/cases/inject-values.js";
import { exampleCase } from "../../verify/rest/example-case.js";

const other = { user_id: 8, email: "other@org.example", api_key: "key" };
const outcome = { values: { stream_id: 90, message_id: 5, group_id: 6 }, credentials: { other } };
const request = { path: {}, query: {}, header: {} };

describe("injectValues", () => {
  it.each([
    [
      "a returned value instead of the example of its parameter",
      exampleCase({
        operationId: "editMessage",
        bind: {},
        request: { ...request, path: { message_id: 1 }, body: { stream_id: 2 } },
      }),
      { ...request, path: { message_id: 5 }, body: { stream_id: 90 } },
    ],
    [
      "no returned value for a parameter that the case does not send",
      exampleCase({ operationId: "editMessage", bind: {}, request: { ...request, path: { message_id: 1 } } }),
      { ...request, path: { message_id: 5 } },
    ],
    ["bound values inside a list", exampleCase(), { ...request, body: { subscriptions: ["social"], principals: [8] } }],
    [
      "a bound value rather than a returned one of the same name",
      exampleCase({
        operationId: "editMessage",
        bind: { message_id: "group_id" },
        request: { ...request, path: { message_id: 1 } },
      }),
      { ...request, path: { message_id: 6 } },
    ],
    [
      "a bound parameter that the case does not send, in the place that the operation defines",
      exampleCase({ operationId: "getMessages", bind: { anchor: "message_id" }, request }),
      { ...request, query: { anchor: 5 } },
    ],
    [
      "a bound body parameter of a case without a body",
      exampleCase({ bind: { principals: ["credentials.other.email"] }, request }),
      { ...request, body: { principals: ["other@org.example"] } },
    ],
  ])("sends %s", (_, given, want) => {
    expect(injectValues(given, outcome).request).toEqual(want);
  });

  it("replaces only the fields of the response that repeat a replaced example", () => {
    const given = exampleCase({
      bind: {},
      request: { ...request, body: { stream_id: 2, topic: "a" } },
      response: {
        status: 400,
        body: { stream_id: 2, count: 2, parts: [{ stream_id: 2 }, { stream_id: 3 }], topic: "a" },
      },
    });
    expect(injectValues(given, outcome).response).toEqual({
      status: 400,
      body: { stream_id: 90, count: 2, parts: [{ stream_id: 90 }, { stream_id: 3 }], topic: "a" },
    });
  });

  it("adds no body to a response without one", () => {
    expect(injectValues(exampleCase({ response: { status: 204 } }), outcome).response).toEqual({ status: 204 });
  });

  it.each(["nothing", "credentials.owner.email", "credentials.other.__proto__"])(
    "throws for the source %s",
    (source) => {
      expect(() => injectValues(exampleCase({ bind: { principals: [source] } }), outcome)).toThrow(
        `bind names ${source}, but no state of the case returned it`,
      );
    },
  );
});
