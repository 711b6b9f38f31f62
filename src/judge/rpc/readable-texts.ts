import type { ErrorDetail, MetadataEntry, RpcAnswer } from "./answer.js";

/** A part of a response that a caller can read. */
export type Surface = "message" | "details" | "metadata" | "reply";

/** The texts that a caller can read, by where they are: on which surface, and at which place of it in words. */
export type TextsBySurface = Readonly<Record<Surface, Readonly<Record<string, string>>>>;

/** Texts that a caller can read. */
export interface Readable {
  readonly surface: Surface;
  /** The part of the response that holds them, in words. */
  readonly place: string;
  readonly texts: readonly string[];
}

/** Lists the texts of a response that a caller can read. */
export function readableTexts(answer: RpcAnswer): readonly Readable[] {
  switch (answer.kind) {
    case "reply":
      return [
        { surface: "reply", place: "the reply", texts: [asText(answer.bytes)] },
        // The rules about metadata are about errors.
        ...answer.metadata.map(readableEntry).map((entry): Readable => ({ ...entry, surface: "reply" })),
      ];
    case "error": {
      const { message, details, metadata } = answer;
      const sent = metadata.filter(([name]) => name === "grpc-message").map(([, value]) => value);
      const others = metadata.filter(([name]) => !carriers.has(name));
      return [
        { surface: "message", place: "the message of the error", texts: [message, ...sent] },
        { surface: "details", place: "a detail of the error", texts: details.flatMap(detailTexts) },
        ...others.map(readableEntry),
      ];
    }
    case "malformed":
    case "too-large":
      return [{ surface: "message", place: "the answer", texts: [answer.text] }, ...answer.metadata.map(readableEntry)];
    case "unreachable":
    case "timeout":
      return [];
  }
}

/** Metadata that carries the message and the details of an error in gRPC. */
const carriers: ReadonlySet<string> = new Set(["grpc-message", "grpc-status-details-bin"]);

function detailTexts({ type, value, debug = "" }: ErrorDetail): string[] {
  return [type, asText(value), debug];
}

function readableEntry([name, value]: MetadataEntry): Readable {
  return { surface: "metadata", place: `the header or trailer ${name}`, texts: [`${name}: ${value}`] };
}

/** Decodes UTF-8. Text around invalid bytes remains readable. */
function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
