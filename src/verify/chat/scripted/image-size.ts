/** The size of an image, in units of its format. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads the size of a PNG, GIF or SVG image. Undefined for other formats, and for an SVG image that states no size. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature)) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) {
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  const [tag] = /<svg\b[^>]*>/.exec(bytes.toString("utf8")) ?? [];
  return tag === undefined ? undefined : svgSize(tag);
}

/** The size that the `svg` element states: its width and height in pixels, or else its view box. */
function svgSize(tag: string): ImageSize | undefined {
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];
  const [width, height] = ["width", "height"].map((name) => /^\s*([\d.]+)(?:px)?\s*$/.exec(attribute(name) ?? "")?.[1]);
  if (width !== undefined && height !== undefined) return { width: Number(width), height: Number(height) };
  const [, , boxWidth, boxHeight] = (attribute("viewBox") ?? "").trim().split(/[\s,]+/);
  return boxWidth === undefined || boxHeight === undefined
    ? undefined
    : { width: Number(boxWidth), height: Number(boxHeight) };
}
