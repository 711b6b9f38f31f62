import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import type { DaemonProtocol } from "../../../src/daemon/index.js";
import { type Handlers, serveExample } from "./example-daemon.js";
import { expectMasked } from "./expect-masked.js";
import { named } from "./named-case.js";
import { runCase } from "./run-case.js";

const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];

describe("a daemon that leaks at the end of a long answer", () => {
  it("is reported", async () => {
    const previewImport: Handlers["previewImport"] = ({ url }) => {
      throw new ConnectError(`${"\\u0041%41".repeat(50_000)} ${url}`, Code.Unavailable);
    };
    const target = await serveExample({ previewImport }, "connect");
    const result = await runCase(named("redact-path"), target);
    expect(result).toMatchObject({ kind: "failed", problems: [expect.stringContaining("the message")] });
    expectMasked(named("redact-path"), result);
  });
});

describe.each(protocols)("a daemon that leaks over %s", (protocol) => {
  type Leak = (url: string, context: HandlerContext) => { warnings: string[] };
  const fail = (...rest: ConstructorParameters<typeof ConnectError>) => {
    throw new ConnectError(...rest);
  };
  const table: readonly (readonly [how: string, rule: string, leak: Leak])[] = [
    ["in the message", "redaction.message", (url) => fail(`cannot fetch ${url}`)],
    ["in the message, decoded", "redaction.message", (url) => fail(`cannot fetch ${decodeURIComponent(url)}`)],
    ["in the message, encoded", "redaction.message", (url) => fail(`/fetch?url=${encodeURIComponent(url)}`)],
    ["in the message, in base64", "redaction.message", (url) => fail(`authorization: ${basic(url)}`)],
    [
      "in a detail",
      "redaction.details",
      (url) => fail("no", Code.Unavailable, {}, [{ desc: StringValueSchema, value: { value: url } }]),
    ],
    ["in a trailer", "redaction.metadata", (url) => fail("no", Code.Unavailable, { "x-url": encodeURI(url) })],
    [
      "in a trailer, in base64",
      "redaction.metadata",
      (url) => fail("no", Code.Unavailable, { "x-url-bin": Buffer.from(url).toString("base64") }),
    ],
    ["in a warning", "redaction.reply", (url) => ({ warnings: [`cannot fetch ${url}`] })],
    [
      "in a header of a reply",
      "redaction.reply",
      (url, { responseHeader }) => {
        responseHeader.set("x-url", encodeURI(url));
        return { warnings: [] };
      },
    ],
    [
      "in a trailer of a reply",
      "redaction.reply",
      (url, { responseTrailer }) => {
        responseTrailer.set("x-url", encodeURI(url));
        return { warnings: [] };
      },
    ],
  ];
  const basic = (url: string) => {
    const { username, password } = new URL(url);
    return `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString("base64")}`;
  };

  it.each(table)("is reported if the URL is %s", async (_, rule, leak) => {
    const target = await serveExample({ previewImport: ({ url }, context) => leak(url, context) }, protocol);
    const one = named("redact-password");
    const result = await runCase(one, target);
    expectMasked(one, result);
    expect(result).toMatchObject({ kind: "failed", trace: [{ response: expect.stringContaining("***") }] });
    const broken = result.kind === "failed" ? [...(result.broken ?? [])] : [];
    const stated = [one.rule, "redaction.preview-import", "redaction.every-cause", "redaction.user-interface"];
    const isOfError = ["redaction.message", "redaction.details", "redaction.metadata"].includes(rule);
    expect(broken.sort()).toEqual([rule, ...(isOfError ? stated : [])].sort());
  });
});
