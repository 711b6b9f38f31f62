import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { ProxySubscriptionPreviewResponseSchema } from "../../../src/daemon/index.js";
import { type Handlers, honestHandlers, serveExample } from "./example-daemon.js";
import { named } from "./named-case.js";
import { runCase } from "./run-case.js";

const link = "trojan://mK7fJ3dU@vie.woodgrove.example:443#Vienna\n";
const content = { kind: "content", headers: { "content-type": "text/plain" }, body: link } as const;

/** A case of a recommendation that compares nothing but the requests to its host. */
const fetching: RpcCase = {
  name: "fetch-example",
  summary: "An example",
  rule: "url-fetching.whole-url",
  rpc: "ProxySubscriptions/PreviewImport",
  given: [{ id: "host", serve: content }],
  request: { url: "https://woodgrove.example/s/a?b" },
  reply: {},
  expect: { "$host.requests": { entries: [{ at: { "/path": "/s/a?b" } }] } },
};

/** Makes previews with its own fetch. */
function fetches(fetchAll: (url: URL) => Promise<unknown>): Handlers {
  return {
    ...honestHandlers(),
    previewImport: async ({ url }) => {
      await fetchAll(new URL(url));
      return { node: [{ ordinal: 1 }] };
    },
  };
}

async function problemsOf(one: RpcCase, handlers: Handlers): Promise<unknown> {
  const result = await runCase(one, await serveExample(handlers));
  return result.kind === "failed" ? { broken: result.broken, problems: result.problems } : result;
}

describe("runCase with a recommendation", () => {
  it("accepts the expected requests, repeated or not", async () => {
    const handlers = fetches(async (url) => {
      await fetch(url);
      await fetch(url);
    });
    expect(await problemsOf(fetching, handlers)).toMatchObject({ kind: "passed" });
  });

  it("reports a request with another query without quoting it", async () => {
    const handlers = fetches((url) => fetch(url.origin + url.pathname));
    expect(await problemsOf(fetching, handlers)).toEqual({
      broken: ["url-fetching.whole-url"],
      problems: [expect.stringMatching(/^\$host\.requests\/0\/path: expected .*, got /)],
    });
  });

  it("reports a header that should be absent, on another origin as well", async () => {
    const one: RpcCase = {
      ...fetching,
      given: [
        {
          id: "host",
          // biome-ignore lint/suspicious/noThenProperty: the format of the cases uses this name
          serve: { kind: "redirect", location: "https://cdn.example/c", elsewhere: true, then: content },
        },
      ],
      expect: {
        "$host.requests": {
          entries: [
            { at: { "/path": "/s/a?b" } },
            { at: { "/path": "/c", "/headers/authorization": { present: false } } },
          ],
        },
      },
    };
    const headers = { authorization: "Basic Og==" };
    const origins = new Set<string>();
    const follow = async (url: URL) => {
      const location = (await fetch(url, { headers, redirect: "manual" })).headers.get("location") ?? "";
      origins.add(url.origin).add(new URL(location).origin);
      await fetch(location, { headers });
    };
    expect(await problemsOf(one, fetches(follow))).toEqual({
      broken: ["url-fetching.whole-url"],
      problems: ["$host.requests/1/headers/authorization: ***"],
    });
    expect(origins.size).toBe(2);
  });

  it("reports the fetch of a URL in a subscription", async () => {
    const body = `https://woodgrove.example/nested\n${link}`;
    const one: RpcCase = { ...fetching, given: [{ id: "host", serve: { ...content, body, localized: true } }] };
    const handlers = fetches(async (url) => {
      const [nested = ""] = (await (await fetch(url)).text()).split("\n");
      await fetch(nested);
    });
    expect(await problemsOf(one, handlers)).toEqual({
      broken: ["url-fetching.whole-url"],
      problems: [expect.stringMatching(/^\$host\.requests: expected a list of 1 entries, got /)],
    });
  });

  it("skips the case if the daemon replies without fetching the URL", async () => {
    expect(await problemsOf(fetching, { ...honestHandlers(), previewImport: () => ({}) })).toMatchObject({
      kind: "skipped",
      reason: "the server answered without fetching the URL",
    });
  });

  it("skips a case if the daemon does not refuse an earlier call", async () => {
    const previewImport: Handlers["previewImport"] = async ({ url }) => {
      await fetch(url);
      return {};
    };
    const applyImport: Handlers["applyImport"] = async ({ id, url }) => {
      await fetch(url);
      return { id: id || 7, importedCount: 1 };
    };
    const handlers = { ...honestHandlers(), previewImport, applyImport };
    expect(await problemsOf(named("apply-after-failed-fetch"), handlers)).toMatchObject({
      kind: "skipped",
      reason: "the server did not refuse the earlier call failed",
    });
  });

  it("sends a request with an unknown field", async () => {
    const sent: number[] = [];
    const handlers = fetches((url) => fetch(url));
    const previewImport: Handlers["previewImport"] = (request, context) => {
      sent.push(...(request.$unknown ?? []).map(({ no }) => no));
      return handlers.previewImport?.(request, context) ?? {};
    };
    await problemsOf(named("preview-with-unknown-field"), { ...handlers, previewImport });
    expect(sent).toEqual([1000]);
  });

  it("reports a field at another number, if the reply of the case has it", async () => {
    const previewImport: Handlers["previewImport"] = async (request, context) => {
      const reply = create(
        ProxySubscriptionPreviewResponseSchema,
        await honestHandlers().previewImport(request, context),
      );
      for (const node of reply.node) node.$unknown = [{ no: 8, wireType: 0, data: Uint8Array.of(1) }];
      return reply;
    };
    expect(await problemsOf(named("preview-trojan-list"), { ...honestHandlers(), previewImport })).toEqual({
      broken: ["preview-import.runtime-supported"],
      problems: [expect.stringContaining("/node/*/runtimeSupported")],
    });
  });

  it("sends overlapping calls before and after the call of the case", async () => {
    const ordinals: number[] = [];
    const { selectNode: _, ...honest } = honestHandlers();
    const selectNode: Handlers["selectNode"] = async ({ id, selectedOrdinal }) => {
      ordinals.push(selectedOrdinal);
      // No call ends before all have begun.
      while (ordinals.length < 3) await new Promise(setImmediate);
      return { id, selectedOrdinal };
    };
    expect(await problemsOf(named("select-by-two-callers"), { ...honest, selectNode })).toMatchObject({
      kind: "passed",
    });
    expect(ordinals.sort()).toEqual([1, 1, 2]);
  });

  it("skips a case if the daemon refuses every call", async () => {
    const refuse = () => {
      throw new ConnectError("Log in", Code.Unauthenticated);
    };
    const refusing = { previewImport: refuse, applyImport: refuse, selectNode: refuse, loginCancel: refuse };
    expect(await problemsOf(named("select-unknown-network"), refusing)).toMatchObject({
      kind: "skipped",
      reason: "the server refuses every call",
    });
  });
});
