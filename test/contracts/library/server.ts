import { execFile } from "node:child_process";
import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createFileRegistry,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { LibraryFault } from "./faults.js";

const execFileAsync = promisify(execFile);
const buf = fileURLToPath(new URL("../../../node_modules/.bin/buf", import.meta.url));
const protoFolder = fileURLToPath(new URL("proto", import.meta.url));

/** A book in ProtoJSON. */
interface Book {
  readonly id: string;
  readonly title?: string;
  readonly medium?: string | number;
  readonly authors?: readonly object[];
  readonly print?: object;
  readonly recording?: object;
  readonly copies?: Readonly<Record<string, number>>;
  readonly year?: number;
  readonly coverDigest?: string;
}

interface Loan {
  readonly id: string;
  readonly due: string;
}

/** The handlers of the RPCs by name, from ProtoJSON to ProtoJSON. */
type Handlers = Readonly<Record<string, (request: Readonly<Record<string, unknown>>) => object>>;

/** A running library server. */
export interface LibraryServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a server of the services in `proto`, over HTTP/2 without TLS, with one mistake if `fault` names one. */
export async function startLibrary(fault?: LibraryFault): Promise<LibraryServer> {
  const has = (name: LibraryFault) => fault === name;
  const described = fromBinary(FileDescriptorSetSchema, await compileProto());
  if (has("add-title-renumbered")) renumber(described, "Book", "title", 12);
  const registry = createFileRegistry(described);
  const handlers = createHandlers(has);
  const listener = connectNodeAdapter({
    routes: (router) => {
      for (const name of ["library.catalogue.v1.Catalogue", "library.loans.v1.Loans"]) {
        const service = registry.getService(name);
        if (service === undefined) throw new Error(`${name} is not in ${protoFolder}`);
        for (const method of service.methods) if (isUnary(method)) router.rpc(method, implement(method, handlers));
      }
    },
  });
  const server = createServer(listener);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

function createHandlers(has: (name: LibraryFault) => boolean): Handlers {
  const books = new Map<string, Book>();
  const loans = new Map<string, Loan>();
  // Odd numbers above 2^53, which no double has.
  const nextId = () => String(2n ** 53n + 1n + 2n * BigInt(books.size));
  const find = (id: unknown): Book => {
    const book = books.get(String(id ?? 0));
    if (book !== undefined) return book;
    if (has("get-unknown-as-empty")) return { id: "0" };
    throw new ConnectError("no such book", Code.NotFound);
  };
  return {
    addBook: ({ book: given = {} }) => {
      const book: Book = { ...(given as Book), id: nextId() };
      books.set(book.id, book);
      return spoilAdded(book, has);
    },
    getBook: ({ id }) => {
      const book = has("get-first") ? (books.values().next().value ?? find(id)) : find(id);
      if (has("id-through-double")) return { ...book, id: String(BigInt(Number(book.id))) };
      if (has("get-digest-as-text")) return { ...book, coverDigest: base64(book.coverDigest) };
      return has("get-without-copies") ? { ...book, copies: {} } : book;
    },
    searchBooks: ({ title = "", media = [] }) => {
      const isWanted = ({ medium = "MEDIUM_UNSPECIFIED" }: Book) =>
        has("search-ignores-media") || (media as unknown[]).length === 0 || (media as unknown[]).includes(medium);
      const found = [...books.values()].filter((book) => book.title?.includes(String(title)) && isWanted(book));
      return { books: found, ...(has("search-without-total") ? {} : { total: String(found.length) }) };
    },
    borrow: ({ bookId, reader = "", since = new Date(0).toJSON(), length = "0s" }) => {
      const book = find(bookId);
      const lentMs = has("borrow-at-once") ? 0 : Number.parseFloat(String(length)) * 1000;
      const due = new Date(Date.parse(String(since)) + lentMs);
      if (has("borrow-whole-seconds")) due.setMilliseconds(0);
      const loan = { id: String(loans.size + 1), reader, due: due.toJSON() };
      loans.set(loan.id, loan);
      return { ...loan, ...(has("borrow-without-book") ? {} : { book }) };
    },
    return: ({ loanId, at = new Date(0).toJSON() }) => {
      if (has("return-missing")) throw new ConnectError("not implemented", Code.Unimplemented);
      const loan = loans.get(String(loanId ?? 0));
      if (loan === undefined) throw new ConnectError("no such loan", Code.NotFound);
      const late = (Date.parse(String(at)) - Date.parse(loan.due)) / 1000;
      if (late <= 0) return has("return-early") ? { late: `${late}s` } : {};
      const days = Math.ceil(late / 86_400);
      const fee = String(days * (has("return-in-euros") ? 1 : 50));
      return { late: `${has("return-whole-days") ? days * 86_400 : late}s`, fees: { late: fee } };
    },
  };
}

/** The reply to a book that was added, with the mistake of the server. */
function spoilAdded(book: Book, has: (name: LibraryFault) => boolean): object {
  const { print, recording, ...rest } = book;
  if (has("add-unknown-medium")) return { ...book, medium: 7 };
  if (has("add-authors-reversed")) return { ...book, authors: book.authors?.toReversed() ?? [] };
  if (has("add-without-edition")) return rest;
  if (has("add-other-edition")) return { ...rest, ...(print === undefined ? { print: {} } : { recording: {} }) };
  if (has("add-copies-of-one-branch")) {
    return { ...book, copies: Object.fromEntries(Object.entries(book.copies ?? {}).slice(0, 1)) };
  }
  if (has("add-year-zero-as-none") && book.year === 0) {
    const { year: _, ...withoutYear } = book;
    return withoutYear;
  }
  return book;
}

function base64(text = ""): string {
  return Buffer.from(text).toString("base64");
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

/** The handler of an RPC, from message to message. */
function implement({ localName, input, output }: DescMethodUnary, handlers: Handlers) {
  return (request: Message): Message => {
    const handle = handlers[localName];
    if (handle === undefined) throw new ConnectError(localName, Code.Unimplemented);
    return fromJson(output, handle(toJson(input, request) as Record<string, unknown>) as JsonValue);
  };
}

/** Compiles the files in `proto` to a descriptor set. */
async function compileProto(): Promise<Uint8Array> {
  const { stdout } = await execFileAsync(buf, ["build", protoFolder, "-o", "-#format=binpb"], { encoding: "buffer" });
  return stdout;
}

/** Gives a field of a message another number. */
function renumber({ file }: FileDescriptorSet, message: string, field: string, number: number): void {
  const found = file.flatMap(({ messageType }) => messageType).find(({ name }) => name === message);
  for (const one of found?.field ?? []) if (one.name === field) one.number = number;
}
