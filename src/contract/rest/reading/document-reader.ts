import { existsSync, statSync } from "node:fs";
import type { BaseResolver, Document } from "@redocly/openapi-core";
import { isObject } from "../../../base/is-object.js";
import { cutReferences } from "./cut-references.js";
import { escapeData } from "./escape-data.js";
import { noteIntegers } from "./exact-integers.js";
import { nameByPointer } from "./references.js";

/** How large a file of a document may be, in bytes. The largest public documents have 15 MB. */
export const maxDocumentBytes = 64 * 1024 * 1024;
/** How many values a file may have, with those that YAML aliases repeat. The largest public documents have a tenth of it. */
export const maxDocumentNodes = 2_000_000;

let isRemoteAllowed = false;

/** Lets documents of this process refer to files on other hosts, which are fetched then (`--remote`). */
export function allowRemoteFiles(): void {
  isRemoteAllowed = true;
}

/**
 * Creates the only reader of the files of a document, for Redocly's functions. It bounds what a file may be before anything in it is
 * resolved, fetches nothing from another host unless that is allowed, and leaves references in the data of examples alone.
 */
export async function createDocumentReader(): Promise<BaseResolver> {
  const { BaseResolver, ResolveError, YamlParseError } = await import("@redocly/openapi-core");
  const reader = new BaseResolver();
  const load = reader.loadExternalRef.bind(reader);
  const parse = reader.parseDocument.bind(reader);
  const resolve = reader.resolveExternalRef.bind(reader);
  reader.resolveExternalRef = (base, ref) => {
    const path = resolve(base, ref);
    // A reference is a URI, in which a file name may be percent-encoded.
    return isUrl(path) || existsSync(path) ? path : decoded(path);
  };
  reader.loadExternalRef = async (ref) => {
    const problem = isUrl(ref) ? remoteProblem(ref) : fileProblem(ref);
    if (problem !== undefined) throw new ResolveError(new Error(problem));
    return load(ref);
  };
  reader.parseDocument = (source, isRoot) => {
    noteIntegers(source.body);
    const json = readJson(source.body);
    const document: Document = json === undefined ? parse(source, isRoot) : { source, parsed: json };
    const problem = boundProblem(document.parsed);
    if (problem !== undefined) throw new YamlParseError(new Error(problem), source);
    const parsed = escapeData(document.parsed, source.absoluteRef);
    cutReferences(parsed);
    if (isRoot && isObject(parsed)) nameByPointer(parsed);
    return { ...document, parsed };
  };
  return reader;
}

function isUrl(ref: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(ref);
}

function remoteProblem(ref: string): string | undefined {
  return isRemoteAllowed ? undefined : `${ref} is not a local file, and nothing is fetched without --remote`;
}

function fileProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return `${path} does not exist`;
  if (!found.isFile()) return `${path} is not a file`;
  return found.size > maxDocumentBytes ? `${path} is larger than ${maxDocumentBytes} bytes` : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Reads JSON, in a tenth of the time that a reader of YAML takes. Undefined for anything else, and for JSON that has a key twice, of which
 * the reader of YAML says where.
 */
function readJson(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    let written = 0;
    for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) written++;
    return isObject(parsed) && written === countKeys(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function countKeys(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  const values = Object.values(node);
  return values.reduce<number>((sum, value) => sum + countKeys(value), Array.isArray(node) ? 0 : values.length);
}

/** Why a parsed file cannot be walked. Counts what aliases repeat without walking it, so that a small file cannot grow. */
function boundProblem(root: unknown): string | undefined {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let problem: string | undefined;
  const sizeOf = (node: unknown): number => {
    if (typeof node !== "object" || node === null || problem !== undefined) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) problem = "a YAML alias contains itself";
    if (problem !== undefined) return 1;
    open.add(node);
    const size = Object.values(node).reduce<number>((sum, value) => sum + sizeOf(value), 1);
    open.delete(node);
    sizes.set(node, size);
    return size;
  };
  const size = sizeOf(root);
  return (
    problem ??
    (size > maxDocumentNodes ? `it has more than ${maxDocumentNodes} values, with its YAML aliases` : undefined)
  );
}
