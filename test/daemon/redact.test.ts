import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clone,
  create,
  createFileRegistry,
  type DescMessage,
  equals,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runBuf } from "../../src/base/run-buf.js";
import { ProxySubscriptionApplyRequestSchema, redact, redactedJson } from "../../src/daemon/index.js";
import { anyCharacter } from "../support/any-character.js";

/** Every kind of field, plain and redacted by either option. The contract itself redacts only single strings. */
const everything = `
syntax = "proto3";
package everything;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/wrappers.proto";
import "proxydaemon/v1/secret.proto";
message Login {
  string user = 1 [(proxydaemon.v1.secret) = false];
  string secret = 2 [debug_redact = true];
}
message Everything {
  string text = 1;
  string secret_text = 2 [(proxydaemon.v1.secret) = true];
  bytes secret_bytes = 3 [debug_redact = true];
  int32 secret_number = 4 [debug_redact = true];
  repeated string secret_list = 5 [(proxydaemon.v1.secret) = true];
  map<string, string> secret_map = 6 [debug_redact = true];
  Login secret_message = 7 [(proxydaemon.v1.secret) = true];
  Login login = 8;
  repeated Login logins = 9;
  map<string, Login> logins_by_name = 10;
  oneof choice {
    string secret_choice = 11 [debug_redact = true];
    Login login_choice = 12;
  }
  google.protobuf.Any any = 13;
  repeated google.protobuf.Any anys = 14;
  google.protobuf.Struct struct = 15;
  google.protobuf.StringValue wrapped = 16;
  repeated string list = 17;
  map<string, int32> map = 18;
  optional string optional_secret = 19 [debug_redact = true];
  google.protobuf.StringValue secret_wrapped = 20 [debug_redact = true];
}
message Older {}
`;

const registry = await compile(everything);

async function compile(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "redact-"));
  try {
    writeFileSync(join(folder, "everything.proto"), source);
    cpSync("proto/proxydaemon", join(folder, "proxydaemon"), { recursive: true });
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, await runBuf(".", "build", folder, "--output", "-")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function message(name: string): DescMessage {
  const found = registry.getMessage(`everything.${name}`);
  if (found === undefined) throw new Error(`There is no message ${name}`);
  return found;
}

const everythingSchema = message("Everything");
const read = (json: JsonValue) => fromJson(everythingSchema, json, { registry });

describe("redactedJson", () => {
  const login = { user: "me", secret: "s3cret" };
  const shown = { user: "me", secret: "[redacted]" };
  const table: readonly (readonly [what: string, given: JsonValue, want: JsonValue])[] = [
    ["keeps what is not marked", { text: "a", list: ["b"], map: { c: 1 } }, { text: "a", list: ["b"], map: { c: 1 } }],
    ["replaces a text", { secretText: "s3cret" }, { secretText: "[redacted]" }],
    ["leaves an empty text empty", { secretText: "" }, {}],
    ["replaces an optional text, even an empty one", { optionalSecret: "" }, { optionalSecret: "[redacted]" }],
    ["removes bytes", { secretBytes: "czNjcmV0" }, {}],
    ["removes a number", { secretNumber: 5 }, {}],
    ["removes a list", { secretList: ["s3cret"] }, {}],
    ["removes a map, keys as well", { secretMap: { s3cret: "s3cret" } }, {}],
    ["removes a message", { secretMessage: login }, {}],
    ["removes a wrapped text", { secretWrapped: "s3cret" }, {}],
    ["looks into a message", { login }, { login: shown }],
    ["looks into a list", { logins: [login, {}] }, { logins: [shown, {}] }],
    ["looks into a map", { loginsByName: { a: login } }, { loginsByName: { a: shown } }],
    ["replaces the text of a choice", { secretChoice: "s3cret" }, { secretChoice: "[redacted]" }],
    ["looks into the message of a choice", { loginChoice: login }, { loginChoice: shown }],
    ["empties Any, whose type it does not know", { any: { "@type": "t/everything.Login", ...login } }, { any: {} }],
    ["empties a list of Any", { anys: [{ "@type": "t/everything.Login", ...login }] }, { anys: [{}] }],
    [
      "keeps Struct and wrapped values",
      { struct: { a: [1, { b: null }] }, wrapped: "w" },
      { struct: { a: [1, { b: null }] }, wrapped: "w" },
    ],
  ];
  it.each(table)("%s", (_, given, want) => {
    expect(redactedJson(everythingSchema, read(given))).toEqual(want);
  });

  it("hides the URL of an import", () => {
    const request = create(ProxySubscriptionApplyRequestSchema, {
      id: 7,
      url: "https://me:s3cret@a.example/t0ken",
      name: "n",
    });
    expect(redactedJson(ProxySubscriptionApplyRequestSchema, request)).toEqual({ id: 7, url: "[redacted]", name: "n" });
  });
});

describe("redact", () => {
  it("drops unknown fields at every depth, because a newer contract may redact them", () => {
    const inner = toBinary(message("Login"), fromJson(message("Login"), { user: "s3cret" }));
    const older = fromBinary(message("Older"), inner);
    expect(older.$unknown).toHaveLength(1);
    expect(toBinary(message("Older"), redact(message("Older"), older))).toHaveLength(0);

    // login, field 8, with an unknown field 15.
    const nested = fromBinary(everythingSchema, Buffer.from("4203 7a0173".replaceAll(" ", ""), "hex"));
    expect(Buffer.from(toBinary(everythingSchema, redact(everythingSchema, nested))).toString("hex")).toBe("4200");
  });

  const text = fc.string({ minLength: 1, unit: anyCharacter });
  const logins = fc.record({ user: text, secret: text }, { requiredKeys: [] });
  const messages = fc
    .record(
      {
        text,
        secretText: text,
        secretNumber: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        secretList: fc.array(text),
        secretMap: fc.dictionary(text, text),
        secretMessage: logins,
        login: logins,
        logins: fc.array(logins),
        loginsByName: fc.dictionary(text, logins),
        loginChoice: logins,
        list: fc.array(text),
      },
      { requiredKeys: [] },
    )
    .map((json) => read(json));

  it("does not modify its input", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const before = clone(everythingSchema, given);
        redact(everythingSchema, given);
        expect(equals(everythingSchema, given, before)).toBe(true);
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const once = redact(everythingSchema, given);
        expect(equals(everythingSchema, redact(everythingSchema, once), once)).toBe(true);
      }),
    );
  });

  it("leaves no trace of a redacted value, wherever it is and whatever it contains", () => {
    // Marked text consists of letters that occur nowhere else.
    const secret = fc.string({ minLength: 1, unit: fc.constantFrom("ß", "Ω", "龍", "🗝") });
    const holder = fc.record({ user: fc.constant("me"), secret });
    const secrets = fc.record(
      {
        secretText: secret,
        secretList: fc.array(secret),
        secretMap: fc.dictionary(secret, secret),
        secretMessage: holder,
        login: holder,
        logins: fc.array(holder),
        loginsByName: fc.dictionary(fc.constantFrom("a", "b"), holder),
        any: holder.map((json) => ({ "@type": "t/everything.Login", ...json })),
        optionalSecret: secret,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(secrets, (json) => {
        expect(JSON.stringify(redactedJson(everythingSchema, read(json)))).not.toMatch(/[ßΩ龍🗝]/u);
      }),
    );
  });
});
