import { type DescMessage, fromJson, type JsonObject, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { RpcContract } from "../../../../src/contract/rpc/contract.js";
import { createRpcServer } from "../../../../src/server/rpc/create-rpc-server.js";
import type { RunningServer as DaemonServer } from "../../../../src/server/running-server.js";

/** Answers requests to an RPC in ProtoJSON. */
export type Answers = Readonly<Record<string, (request: JsonObject) => JsonObject>>;

/** A library that keeps the contract. Each server has books of its own. */
export function honestAnswers(): Answers {
  const atlas = {
    ...{ id: "9007199254740993", title: "Atlas", genre: "GENRE_ATLAS", printedAt: "2026-01-02T03:04:05Z" },
    ...{ copiesByBranch: { north: 2 }, shelf: "A7" },
  };
  const books = new Map<JsonValue, JsonObject>([[atlas.id, atlas]]);
  const find = (id: JsonValue = "") => {
    const found = books.get(id);
    if (found === undefined) throw new ConnectError("There is no such book", Code.NotFound);
    return found;
  };
  return {
    "catalogue.v1.Books/GetBook": ({ id }) => find(id),
    "catalogue.v1.Books/AddBook": ({ book }) => {
      if (book === undefined) throw new ConnectError("book is missing", Code.InvalidArgument);
      const added = { ...(book as JsonObject), id: String(100 + books.size) };
      books.set(added.id, added);
      return added;
    },
    "lending.v1.Books/Lend": ({ bookId, reader }) => {
      const { shelf: _, ...book } = find(bookId);
      const receipt = { "@type": "type.googleapis.com/legacy.v1.Fine", cents: "0" };
      const loan = { reader: reader ?? "" };
      return { book: { ...book, loan }, notes: { damage: ["cover"] }, receipt, limits: ["GENRE_ATLAS"] };
    },
    "Fines/GetFine": () => ({ cents: "250" }),
  };
}

/** Serves RPCs. Those without answers are unimplemented. */
export function serveLibrary({ methods, files, registry }: RpcContract, answers: Answers): Promise<DaemonServer> {
  const routes = methods.map(({ rpc, method }) => {
    const handler = (message: Message) => {
      const answer = answers[rpc];
      if (answer === undefined) throw new ConnectError("There is no such RPC", Code.Unimplemented);
      const request = toJson<DescMessage>(method.input, message);
      return fromJson(method.output, answer(request as unknown as JsonObject), { registry });
    };
    return { rpc, method, handler };
  });
  return createRpcServer({ routes, files });
}
