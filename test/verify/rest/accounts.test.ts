import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CouldNotRunError } from "../../../src/base/could-not-run-error.js";
import { chatContract } from "../../../src/chat/contract.js";
import { credentialFields } from "../../../src/contract/rest/conventions.js";
import type { ContractDocument } from "../../../src/contract/rest/document.js";
import { createSecret } from "../../../src/secrets/secret.js";
import { parseHeaders } from "../../../src/verify/http/extra-headers.js";
import { accountCredentials, accountForm, readAccounts } from "../../../src/verify/rest/accounts.js";

async function read(...texts: string[]) {
  const accounts = await readAccounts(texts.map(createSecret), await chatContract());
  return Object.fromEntries(
    Object.entries(accounts).map(([role, { name, secret }]) => [role, `${name} ${secret.reveal()}`]),
  );
}

describe("readAccounts", () => {
  it.each([
    [["a@b.example:key"], { member: "a@b.example key" }],
    [["a@b.example:k:e=y"], { member: "a@b.example k:e=y" }],
    [["owner=o@b.example:1234", "a@b.example:5678"], { owner: "o@b.example 1234", member: "a@b.example 5678" }],
  ])("reads %j", async (texts, want) => expect(await read(...texts)).toEqual(want));

  it("reads a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "accord-accounts-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "accounts");
    writeFileSync(file, "# of the test organization\r\n\na@b.example:key\n  other=o@b.example:key2\n");
    expect(await read(`@${file}`)).toEqual({ member: "a@b.example key", other: "o@b.example key2" });
  });

  it("names a missing file", async () => {
    await expect(read("@secrets/accounts.txt")).rejects.toThrow("The file secrets/accounts.txt cannot be read: ENOENT");
  });

  it.each([
    ["open-sesame"],
    ["a@b.example"],
    ["a@b.example:"],
    ["a@b.example:open sesame"],
    ["king=a@b.example:open-sesame"],
    ["a@b.example:open-sesame", "member=c@b.example:open-sesame"],
    ["@/no/such/open-sesame"],
    ["@"],
    [""],
  ])("rejects %j without quoting it", async (...texts) => {
    const end = await read(...texts).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(CouldNotRunError);
    expect(String(end)).not.toMatch(/sesame|b\.example/);
  });
});

it.each([
  ["a:b", { username: "a", password: "b" }],
  ["other=a:b", { username: "a", password: "b" }],
  ["s3cret", { token: "s3cret", key: "s3cret" }],
])("reads %j for an API that takes a password or a key, whichever its document lists first", async (text, want) => {
  const document = {
    openapi: "3.1.0",
    paths: {},
    components: {
      securitySchemes: {
        ApiKeyAuth: { type: "apiKey", in: "header", name: "X-Key" },
        BasicAuth: { type: "http", scheme: "basic" },
      },
    },
  } as unknown as ContractDocument;
  const accounts = await readAccounts([createSecret(text)], { document, states: { "x-states": {} } });
  expect(Object.values(accounts).map((one) => accountCredentials(one, credentialFields(document)))).toEqual([want]);
  expect(accountForm(document)).toBe("USERNAME:PASSWORD or TOKEN");
});

describe("parseHeaders", () => {
  it.each([
    ["X-Tenant: acme", { "X-Tenant": "acme" }, []],
    ["X-Api-Key: sesame", { "X-Api-Key": "sesame" }, ["sesame", "sesame"]],
    ["X-Via: 0123456789abcdef", { "X-Via": "0123456789abcdef" }, ["0123456789abcdef", "0123456789abcdef"]],
    ["Cookie: sid=sesame", { Cookie: "sid=sesame" }, ["sid=sesame", "sid", "sesame"]],
  ])("parses %s", (line, headers, secrets) => expect(parseHeaders([line], [])).toEqual({ headers, secrets }));

  it.each(["sesame", ": sesame", "a b: sesame", "X-A: ses\name", "Authorization: Basic sesame", "host: sesame"])(
    "rejects %j without quoting its value",
    (line) => {
      expect(() => parseHeaders([line], [])).toThrow(CouldNotRunError);
      expect(() => parseHeaders([line], [])).not.toThrow(/sesame/);
    },
  );
});
