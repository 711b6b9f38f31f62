const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const others = [
  "text/plain",
  "application/pdf",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "audio/mp4",
  "video/mp4",
  "video/ogg",
  "video/webm",
];
const served = new Set([...images, ...others]);
const unknownType = "application/octet-stream";

/** The media type of an upload as it is stored: without parameters, in lower case; for one that is none, that of any bytes. */
export function storedMediaType(sent: string): string {
  const type = sent.slice(0, 200).split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,60}$/.test(type) ? type : unknownType;
}

/** The Content-Type that an upload is served with. The type came from a client, so only harmless ones are passed on. */
export function servedContentType(mediaType: string): string {
  if (!served.has(mediaType)) return unknownType;
  return mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType;
}

/** Whether a browser may show the upload in place, rather than save it. */
export function isShownInPlace(mediaType: string): boolean {
  return images.includes(mediaType);
}
