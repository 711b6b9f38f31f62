import { Busboy, type BusboyInstance } from "@fastify/busboy";
import {
  type BodyReader,
  blockBytes,
  createTextCounter,
  type ReadBody,
  type RefusedBody,
  refused,
} from "./body-reader.js";
import { isDiskFull } from "./disk-space.js";
import { preferExtendedNames } from "./extended-file-name.js";
import { createSpool, type Spool, type SpooledFile } from "./spool.js";

/** Options of `readMultipart`. */
export interface MultipartOptions {
  readonly contentType: string;
  /** Fields and files together. */
  readonly maxFields: number;
  readonly maxFieldBytes: number;
  /** Folder of temporary files. */
  readonly folder: string;
  /** Undefined if the client did not send the length. */
  readonly bodyBytes: number | undefined;
}

/** RFC 2046, section 5.1.1. */
const maxBoundaryLength = 70;

const malformed = refused(400, "The multipart body is malformed; see RFC 7578 for its form");

/** Reads a multipart body after its first block. Removes its temporary files unless the result is `kind: "read"`. */
export async function readMultipart(reader: BodyReader, first: Buffer, options: MultipartOptions): Promise<ReadBody> {
  const spool = createSpool(options.folder, options.bodyBytes);
  try {
    const result = await readParts(reader, first, options, spool);
    if (result.kind === "read") spool.settle();
    else await spool.dispose();
    return result;
  } catch (error) {
    await spool.dispose();
    if (isDiskFull(error)) return refused(507, "The server has no disk space for the upload");
    throw error;
  }
}

interface Part {
  readonly field: string;
  readonly file: SpooledFile;
  readonly name: string;
  readonly type: string;
}

async function readParts(
  reader: BodyReader,
  first: Buffer,
  { contentType, maxFields, maxFieldBytes }: MultipartOptions,
  spool: Spool,
): Promise<ReadBody> {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > maxBoundaryLength) return malformed;
  const fields: [string, string][] = [];
  const parts: Part[] = [];
  let open: SpooledFile[] = [];
  let refusal: RefusedBody | undefined;
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: maxFields, fieldSize: maxFieldBytes, headerPairs: 20 },
    });
  } catch {
    return malformed;
  }
  preferExtendedNames(parser);
  // Despite their types, part names and file names may be undefined.
  parser.on("field", (name, value, _isNameCut, isCut) => {
    if (isCut) refusal ??= refused(413, `A field of the request body is larger than ${maxFieldBytes} bytes`);
    fields.push([name ?? "", value]);
  });
  parser.on("file", (field, stream, name, _encoding, type) => {
    const file = spool.add();
    parts.push({ field: field ?? "", file, name: name ?? "", type });
    open.push(file);
    stream.on("data", file.push);
    stream.on("end", file.end);
    stream.on("error", () => {
      refusal ??= malformed;
    });
  });
  let isParsed = false;
  const parsed = new Promise<void>((resolve) => {
    const end = () => {
      isParsed = true;
      resolve();
    };
    parser.on("finish", end);
    parser.on("error", () => {
      refusal ??= malformed;
      end();
    });
  });

  /** Writes received file data before more is read, so that memory use stays low. */
  async function flush(): Promise<void> {
    for (const file of open) reader.release(await file.flush());
    open = open.filter((file) => !file.isEnded());
  }

  const countBoundaries = createTextCounter(`--${boundary}`);
  for (let bytes = first, isLast = false; ; ) {
    for (let at = 0; at < bytes.length; at += blockBytes) {
      const block = bytes.subarray(at, at + blockBytes);
      // There is one boundary before each part, and one at the end.
      if (countBoundaries(block) > maxFields + 1) {
        return refused(400, `The request body has more than ${maxFields} fields`);
      }
      // Ignore the epilogue after the last boundary.
      if (!isParsed) await Promise.race([parsed, new Promise((resolve) => parser.write(block, resolve))]);
      await flush();
      if (refusal !== undefined) return refusal;
    }
    if (isLast) break;
    const step = await reader.next();
    if (step.kind !== "bytes") return step;
    ({ bytes, isLast } = step);
  }
  parser.end();
  await parsed;
  await flush();
  if (refusal !== undefined) return refusal;
  const files = await Promise.all(
    parts.map(async ({ field, file, name, type }): Promise<[string, File]> => [field, await file.toFile(name, type)]),
  );
  return { kind: "read", fields, files, dispose: spool.dispose };
}
