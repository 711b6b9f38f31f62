import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The operations of S3 that uploads need, in memory (Amazon S3 API Reference). It does not check signatures. */
export interface S3Endpoint {
  readonly url: string;
  /** The objects of its only bucket, named `bucket`. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly metadata: Record<string, string>; modified: Date }>;
  /** The incomplete multipart uploads by their ids. */
  readonly multipart: Map<string, { readonly key: string; readonly parts: Map<number, Buffer>; begun: Date }>;
  /** While true, the endpoint answers every request with status 500. */
  isBroken: boolean;
  readonly close: () => Promise<void>;
}

interface Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly headers: IncomingMessage["headers"];
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const etag = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const element = (name: string, inside: string | number) =>
  `<${name}>${typeof inside === "number" || !inside.startsWith("<") ? escaped(String(inside)) : inside}</${name}>`;
const missing = (code: string): Answer => ({ status: 404, body: element("Error", element("Code", code)) });

/** Starts an endpoint on a free port. */
export async function startS3Endpoint(): Promise<S3Endpoint> {
  const objects: S3Endpoint["objects"] = new Map();
  const multipart: S3Endpoint["multipart"] = new Map();

  function onUpload({ method, key, query, body }: Call, uploadId: string): Answer {
    const upload = multipart.get(uploadId);
    if (upload === undefined || upload.key !== key) return missing("NoSuchUpload");
    switch (method) {
      case "PUT":
        upload.parts.set(Number(query.get("partNumber")), body);
        return { headers: { ETag: etag(body) } };
      case "GET": {
        const parts = [...upload.parts].map(([number, bytes]) =>
          element("Part", element("PartNumber", number) + element("Size", bytes.length) + element("ETag", etag(bytes))),
        );
        return { body: element("ListPartsResult", `${element("IsTruncated", "false")}${parts.join("")}`) };
      }
      case "POST": {
        const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
        const bytes = Buffer.concat(numbers.map((number) => upload.parts.get(number) ?? Buffer.alloc(0)));
        objects.set(key, { bytes, metadata: {}, modified: new Date() });
        multipart.delete(uploadId);
        return { body: element("CompleteMultipartUploadResult", element("Key", key)) };
      }
      default:
        multipart.delete(uploadId);
        return { status: 204 };
    }
  }

  function onBucket({ method, query, body }: Call): Answer {
    if (query.has("delete")) {
      for (const [, key = ""] of body.toString().matchAll(/<Key>([^<]*)</g)) objects.delete(key);
      return { body: element("DeleteResult", "") };
    }
    if (query.has("uploads")) {
      const uploads = [...multipart].map(([id, { key, begun }]) =>
        element("Upload", element("Key", key) + element("UploadId", id) + element("Initiated", begun.toISOString())),
      );
      return { body: element("ListMultipartUploadsResult", `<IsTruncated>false</IsTruncated>${uploads.join("")}`) };
    }
    if (method === "HEAD") return {};
    const prefix = query.get("prefix") ?? "";
    const contents = [...objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { bytes, modified }]) =>
        element(
          "Contents",
          element("Key", key) + element("LastModified", modified.toISOString()) + element("Size", bytes.length),
        ),
      );
    return { body: element("ListBucketResult", `<IsTruncated>false</IsTruncated>${contents.join("")}`) };
  }

  function onObject({ method, key, query, body, headers }: Call): Answer {
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      multipart.set(id, { key, parts: new Map(), begun: new Date() });
      const inside = element("Bucket", "bucket") + element("Key", key) + element("UploadId", id);
      return { body: element("InitiateMultipartUploadResult", inside) };
    }
    if (method === "PUT") {
      const given = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-meta-"));
      const metadata = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
      objects.set(key, { bytes: body, metadata, modified: new Date() });
      return { headers: { ETag: etag(body) } };
    }
    if (method === "DELETE") {
      objects.delete(key);
      return { status: 204 };
    }
    const found = objects.get(key);
    if (found === undefined) return missing("NoSuchKey");
    const common = { ...found.metadata, ETag: etag(found.bytes), "Content-Length": String(found.bytes.length) };
    return { headers: common, ...(method === "HEAD" ? {} : { body: found.bytes }) };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://localhost");
    const [, bucket, ...path] = decodeURIComponent(pathname).split("/");
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = "", headers } = request;
    const call = { method, key: path.join("/"), query, body: Buffer.concat(pieces), headers };
    const uploadId = query.get("uploadId");
    const isSigned = headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=") ?? false;
    const result: Answer = endpoint.isBroken
      ? { status: 500 }
      : !isSigned
        ? { status: 403 }
        : bucket !== "bucket"
          ? missing("NoSuchBucket")
          : uploadId !== null
            ? onUpload(call, uploadId)
            : call.key === ""
              ? onBucket(call)
              : onObject(call);
    const type = typeof result.body === "string" ? { "Content-Type": "application/xml" } : {};
    response.writeHead(result.status ?? 200, { ...type, ...result.headers });
    response.end(method === "HEAD" ? undefined : result.body);
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint: S3Endpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    multipart,
    isBroken: false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return endpoint;
}
