/** A mistake that the library's server can make on purpose. */
export interface LibraryMistake {
  /** What the server does. */
  readonly does: string;
  /** The rule that it breaks, or the RPC that it is about. */
  readonly blames: string;
}

/** The mistakes that the library's server can make. */
export const libraryFaults = {
  "id-through-double": { does: "loses the last digits of large ids", blames: "get-book.id" },
  "get-first": { does: "returns the first book, whatever the id", blames: "get-book.id" },
  "get-digest-as-text": { does: "returns bytes as the text that they encode", blames: "get-book.whole" },
  "get-without-copies": { does: "returns no copies", blames: "get-book.whole" },
  "get-unknown-as-empty": { does: "returns an empty book instead of an error", blames: "get-book.unknown" },
  "add-unknown-medium": { does: "returns a medium that the contract lacks", blames: "add-book.repeats" },
  "add-authors-reversed": { does: "returns the authors in another order", blames: "add-book.repeats" },
  "add-title-renumbered": { does: "sends the title under another number", blames: "add-book.repeats" },
  "add-without-edition": { does: "returns no alternative of the edition", blames: "add-book.edition" },
  "add-other-edition": { does: "returns the other alternative of the edition", blames: "add-book.edition" },
  "add-copies-of-one-branch": { does: "returns the copies of the first branch only", blames: "add-book.copies" },
  "add-year-zero-as-none": { does: "takes a year of 0 for an absent one", blames: "add-book.year-zero" },
  "search-ignores-media": { does: "ignores `media`", blames: "search-books.media" },
  "search-without-total": { does: "does not count", blames: "search-books.total" },
  "borrow-whole-seconds": { does: "cuts off fractions of seconds", blames: "borrow.due" },
  "borrow-at-once": { does: "ignores `length`", blames: "borrow.due" },
  "borrow-without-book": { does: "returns no book", blames: "borrow.book" },
  "return-whole-days": { does: "rounds durations to days", blames: "return.late" },
  "return-in-euros": { does: "returns fees in euros", blames: "return.fees" },
  "return-early": { does: "returns a negative duration for a book in time", blames: "return.in-time" },
  "return-missing": { does: "does not implement Return", blames: "Loans/Return" },
} satisfies Record<string, LibraryMistake>;

/** The name of a mistake. */
export type LibraryFault = keyof typeof libraryFaults;
