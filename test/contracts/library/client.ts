import { once } from "node:events";
import { connect } from "node:http2";

/** A client of the library, over Connect with JSON, that borrows and returns a book, and misspells a field of a search. */
export async function callLibrary(url: string): Promise<void> {
  const session = connect(url);
  const call = async (rpc: string, request: object) => {
    const stream = session.request({ ":method": "POST", ":path": `/${rpc}`, "content-type": "application/json" });
    stream.end(JSON.stringify(request));
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    await once(stream, "end");
    return JSON.parse(text);
  };
  try {
    const book = { title: "Chance", medium: "MEDIUM_PAPER", print: { pages: 468 } };
    const { id: bookId } = await call("library.catalogue.v1.Catalogue/AddBook", { book });
    await call("library.catalogue.v1.Catalogue/SearchBooks", { titles: "Chance" });
    const loan = { bookId, reader: "r-5512", since: "2031-03-01T08:00:00Z", length: "86400s" };
    const { id: loanId } = await call("library.loans.v1.Loans/Borrow", loan);
    await call("library.loans.v1.Loans/Return", { loanId, at: "2031-03-01T20:00:00Z" });
  } finally {
    session.close();
  }
}
