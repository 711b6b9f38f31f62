import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { type ReadBody, refused } from "./body-reader.js";
import { preferExtendedNames } from "./extended-file-name.js";
import { createSpool, isDiskFull, type Spool } from "./spool.js";

/** Options of `readMultipart`. */
export interface MultipartOptions {
  readonly contentType: string;
  /** Fields and files together. */
  readonly maxFields: number;
  /** Bytes of all fields together. */
  readonly maxFieldBytes: number;
  /** Folder of temporary files. */
  readonly folder: string;
}

/** RFC 2046, section 5.1.1. */
const maxBoundaryLength = 70;

const malformed = () => refused(400, "The multipart body is malformed; see RFC 7578 for its form");

/** Reads a multipart body. Removes its temporary files if it throws. */
export async function readMultipart(pieces: AsyncIterable<Uint8Array>, options: MultipartOptions): Promise<ReadBody> {
  const spool = createSpool(options.folder);
  try {
    return await readParts(pieces, options, spool);
  } catch (error) {
    await spool.dispose();
    throw isDiskFull(error) ? refused(507, "The server has no disk space for the upload") : error;
  }
}

async function readParts(
  pieces: AsyncIterable<Uint8Array>,
  { contentType, maxFields, maxFieldBytes }: MultipartOptions,
  spool: Spool,
): Promise<ReadBody> {
  const parser = createParser(contentType, maxFields, maxFieldBytes);
  const fields: [string, string][] = [];
  const files: Promise<[string, File]>[] = [];
  let fieldBytes = 0;
  let fail: (error: unknown) => void = () => {};
  const parsed = new Promise<void>((resolve, reject) => {
    fail = reject;
    parser.on("finish", resolve);
  });
  parsed.catch(() => {});
  parser.on("error", () => fail(malformed()));
  parser.on("partsLimit", () => fail(refused(400, `The request body has more than ${maxFields} fields`)));
  // Despite their types, part names and file names may be undefined.
  parser.on("field", (name, value, _isNameCut, isCut) => {
    fieldBytes += value.length;
    if (isCut || fieldBytes > maxFieldBytes)
      fail(refused(413, `The fields of the request body are larger than ${maxFieldBytes} bytes`));
    fields.push([name ?? "", value]);
  });
  parser.on("file", (field, content, name, _encoding, type) => {
    const file = spool.add(content, name ?? "", type).then((one): [string, File] => [field ?? "", one]);
    // An error without a system call comes from the parser.
    file.catch((error: object) => fail("syscall" in error ? error : malformed()));
    files.push(file);
  });
  let isParsed = false;
  parser.on("finish", () => {
    isParsed = true;
  });
  for await (const piece of pieces) {
    // Ignore the epilogue after the last boundary.
    if (!isParsed) await Promise.race([parsed, new Promise((resolve) => parser.write(Buffer.from(piece), resolve))]);
  }
  parser.end();
  await parsed;
  return { kind: "read", fields, files: await Promise.all(files), dispose: spool.dispose };
}

function createParser(contentType: string, maxFields: number, maxFieldBytes: number): BusboyInstance {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > maxBoundaryLength) throw malformed();
  try {
    const limits = { parts: maxFields, fieldSize: maxFieldBytes, headerPairs: 20 };
    const parser = new Busboy({ headers: { "content-type": contentType }, limits });
    preferExtendedNames(parser);
    return parser;
  } catch {
    throw malformed();
  }
}
