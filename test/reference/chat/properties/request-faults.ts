/** Methods, most of them wrong for any operation. */
export const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "BREW",
  "get",
] as const;

/** Changes of a path. */
export const pathFaults: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}/../..`,
  (path) => `${path}%2F`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path};a=b`,
  (path) => `${path}#there`,
  (path) => `http://elsewhere.example${path}`,
  (path) => path.slice("/api/v1".length),
  (path) => `${path}?${"a=b&".repeat(2_000)}`,
  (path) => `${path}${"/x".repeat(9_000)}`,
  () => "*",
  () => "/",
];

/** Additional headers. */
export const oddHeaders: readonly (readonly [string, string])[] = [
  ["Accept", "text/xml"],
  ["Content-Encoding", "gzip"],
  ["Cookie", "sessionid=1; csrftoken=2"],
  ["Expect", "100-continue"],
  ["Expect", "the-unexpected"],
  ["Host", ""],
  ["Host", "a b"],
  ["If-None-Match", "*"],
  ["Range", "bytes=0-1"],
  ["Upgrade", "websocket"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-Nothing", "\u00e9\u20ac"],
  ["X-Huge", "y".repeat(20_000)],
  ["Bad Name", "x"],
  ["Tus-Resumable", "1.0.0"],
  ["Tus-Resumable", "9"],
  ["Upload-Length", "10"],
  ["Upload-Length", "-1"],
  ["Upload-Length", "99999999999999999999"],
  ["Upload-Defer-Length", "1"],
  ["Upload-Offset", "-5"],
  ["Upload-Metadata", "filename !!!,,name"],
];

/** Headers with which a tus client creates an upload. */
export const usualTusHeaders: readonly (readonly [string, string])[] = [
  ["Tus-Resumable", "1.0.0"],
  ["Upload-Length", "10"],
];

/** Invalid credentials. */
export const oddAuthorizations = [
  "Basic",
  "Basic ",
  "Basic %%%",
  "Basic Og==",
  `Basic ${Buffer.from("\0:\0").toString("base64")}`,
  `Basic ${Buffer.from("nobody@example.com").toString("base64")}`,
  `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString("base64")}`,
  `Basic ${"QUFB".repeat(2_000)}`,
  "Bearer x",
  "Digest username=x",
] as const;
