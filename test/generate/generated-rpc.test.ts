import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeFolder, shop } from "../support/museum.js";
import { compileGenerated } from "./compile-generated.js";

const library = fileURLToPath(new URL("../contracts/library/proto", import.meta.url));

const lend = `
import { Code, ConnectError } from "@connectrpc/connect";
import { createClient } from "./generated/client.js";
import { type Loan, LoanSchema } from "./generated/contract.js";
import { createInMemoryClient, createServer, type Handlers, redactedJson } from "./generated/server.js";

const handlers: Handlers = {
  catalogue: {
    addBook: ({ book }) => ({ title: book?.title ?? "" }),
    getBook: () => { throw new ConnectError("No such book", Code.NotFound); },
    searchBooks: async (_, { signal }) => { signal.throwIfAborted(); return {}; },
  },
  loans: {
    borrow: ({ reader }) => ({ id: 7n, reader }),
    // @ts-expect-error: the reply has no such field.
    return: () => ({ lateness: 1 }),
  },
};
// @ts-expect-error: a handler is missing.
export const incomplete: Handlers = { ...handlers, catalogue: { addBook: () => ({}) } };

const calls: string[] = [];
const server = await createServer({ handlers, onCall: ({ rpc, code }) => {
  // @ts-expect-error: no such RPC.
  if (rpc === "Loans/Lend") return;
  calls.push(rpc + " " + code);
} });
const client = createClient({ address: server.addresses[0] ?? "" });
const loan: Loan = await client.loans.borrow({ reader: "Ada" });
// @ts-expect-error: the reply has no such field.
loan.borrower;
// @ts-expect-error: a misspelt field.
await client.loans.borrow({ readers: "Ada" });
// @ts-expect-error: no such RPC.
client.loans.lend;
const refused = await client.catalogue.getBook({}).catch((error: unknown) => ConnectError.from(error).code === Code.NotFound);
client.close();
await server.close();
const inMemory = await createInMemoryClient(handlers).catalogue.addBook({ book: { title: "Emma" } });
export const seen = { json: redactedJson(LoanSchema, loan), refused, calls, title: inMemory.title };
`;

it("gives a Protobuf contract a typed client and server that understand each other", { timeout: 60_000 }, async () => {
  // Within this repository, Buf would find another `buf.yaml`.
  const proto = join(makeFolder({}), "proto");
  cpSync(library, proto, { recursive: true });
  const { seen } = await compileGenerated({ kind: "rpc", name: "library", proto }, lend);
  expect(seen).toEqual({
    json: { id: "7", reader: "Ada" },
    refused: true,
    calls: ["Loans/Borrow ok", "Loans/Borrow ok", "Catalogue/GetBook not_found"],
    title: "Emma",
  });
});

it("tells services and messages of the same name apart, and asks for no handler of RPCs that stream", async () => {
  const folder = makeFolder({
    "proto/shop/v1/shop.proto": shop,
    "proto/shop/v2/shop.proto": shop.replace("shop.v1", "shop.v2"),
  });
  const use = `
import { createClient } from "./generated/client.js";
import { type GetItemRequest, type shop_v2_shop } from "./generated/contract.js";
import type { Handlers } from "./generated/server.js";

export const handlers: Handlers = {
  shop_v1_shop_Shop: { getItem: ({ id }: GetItemRequest) => ({ name: id }) },
  shop_v2_shop_Shop: { getItem: ({ id }: shop_v2_shop.GetItemRequest) => ({ name: id }) },
};
for await (const _ of createClient({ address: "http://127.0.0.1:1" }).shop_v1_shop_Shop.watch({}, { signal: AbortSignal.abort() })) break;
`;
  const compiled = compileGenerated({ kind: "rpc", name: "shop", proto: join(folder, "proto") }, use);
  await expect(compiled).rejects.toThrow(/cancel|abort/i);
});
