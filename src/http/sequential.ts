/** How long a sequence of items is read, such as a stream of events without end. */
export const maxSequenceMs = 2_000;
/** How many bytes of a sequence are read. */
export const maxSequenceBytes = 1024 * 1024;
/** How many items of a sequence are judged. */
export const maxSequenceItems = 1_000;

type Kind = "lines" | "records" | "events";

const kinds: readonly (readonly [pattern: RegExp, kind: Kind])[] = [
  [/^application\/(?:jsonl|x-jsonl|jsonlines|x-jsonlines|ndjson|x-ndjson)$/i, "lines"],
  [/^application\/(?:[\w.-]+\+)?json-seq$/i, "records"],
  [/^text\/event-stream$/i, "events"],
];

function kindOf(mediaType: string): Kind | undefined {
  const plain = (mediaType.split(";")[0] ?? "").trim();
  return kinds.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Whether bodies of a media type are sequences of items (OpenAPI 3.2, "Sequential Media Types"). */
export function isSequential(mediaType: string): boolean {
  return kindOf(mediaType) !== undefined;
}

/** RFC 7464, section 2.2. */
const recordSeparator = "\u001e";

const separators: Readonly<Record<Kind, RegExp>> = {
  lines: /\r?\n/g,
  records: new RegExp(recordSeparator, "g"),
  events: /\r?\n\r?\n|\r\r/g,
};

/** The texts of the items of a sequence. */
export function splitSequence(mediaType: string, text: string): string[] {
  const pieces = text.split(separators[kindOf(mediaType) ?? "lines"]);
  return pieces.filter((one) => one.trim() !== "").slice(0, maxSequenceItems);
}

/** The beginning of a sequence that was cut somewhere, up to the last item that is whole. */
export function wholeItems(mediaType: string, text: string): string {
  const last = [...text.matchAll(separators[kindOf(mediaType) ?? "lines"])].at(-1);
  return last === undefined ? "" : text.slice(0, last.index);
}

/** An item as its schema describes it: JSON, or the fields of an event. Undefined if it is no JSON, or an event without data. */
export function readItem(mediaType: string, text: string, parse: (text: string) => unknown): unknown {
  return kindOf(mediaType) === "events" ? readEvent(text) : parse(text);
}

/** Reads an event. Source: HTML, "Server-sent events"; OpenAPI 3.2, "Special Considerations for `text/event-stream` Content". */
function readEvent(text: string): Record<string, unknown> | undefined {
  const event: Record<string, unknown> = {};
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, field, value = ""] = /^(data|event|id|retry)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === undefined) continue;
    const earlier = event[field];
    event[field] =
      field === "retry" ? Number(value) : field === "data" && earlier !== undefined ? `${earlier}\n${value}` : value;
  }
  return Object.keys(event).length === 0 ? undefined : event;
}

/** Writes items as a body of a sequential media type. */
export function writeSequence(mediaType: string, items: readonly unknown[]): string {
  switch (kindOf(mediaType)) {
    case "records":
      return items.map((item) => `${recordSeparator}${JSON.stringify(item)}\n`).join("");
    case "events":
      return items.map(writeEvent).join("");
    default:
      return items.map((item) => `${JSON.stringify(item)}\n`).join("");
  }
}

function writeEvent(item: unknown): string {
  const isEvent = typeof item === "object" && item !== null && !Array.isArray(item) && "data" in item;
  const fields = isEvent ? Object.entries(item) : [["data", JSON.stringify(item)]];
  const lines = fields.flatMap(([name, value]) =>
    (typeof value === "string" ? value : JSON.stringify(value)).split("\n").map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join("")}\n`;
}
