import { type CheckedServer, defineCheck, parseUrl } from "../../src/checks.js";

/** In code, because it reads the size of an image. */
export const organizationLogo = defineCheck({
  id: "workflow organization-logo",
  operation: "organization",
  summary: "The logo of an organization is square",
  rules: ["server-settings.get.realm-icon"],
  run: async (server) => {
    const { url, send, skip, fail } = server;
    const icon = await readIcon(server);
    if (typeof icon !== "string") return skip("the settings have no `realm_icon`");
    const parsed = parseUrl(icon, url);
    if (parsed === undefined) return fail("`realm_icon` is not a URL");
    const load = async () => {
      const { status, bytes } = await send({ method: "GET", url: icon });
      return status < 300 ? Buffer.from(bytes) : skip(`the logo cannot be loaded: status ${status}`);
    };
    const image = parsed.protocol === "data:" ? decodeDataUrl(parsed.pathname) : await load();
    const size = image && imageSize(image);
    if (size === undefined) return skip("the logo is not a PNG, GIF or SVG image with a size");
    if (size.width !== size.height) fail(`the logo has a size of ${size.width} × ${size.height}`);
  },
});

/** Reads the URL of the logo from the settings at the URL of the API, or else at the address of the organization. */
async function readIcon({ send, setUpIfPossible }: CheckedServer): Promise<unknown> {
  const read = async (headers: Readonly<Record<string, string>>) => {
    const { body } = await send({ method: "GET", url: "/api/v1/server_settings", headers });
    return (body as { readonly realm_icon?: unknown } | null | undefined)?.realm_icon;
  };
  const here = await read({});
  if (typeof here === "string") return here;
  const address = await setUpIfPossible("organization-address");
  return typeof address?.host === "string" ? read({ "X-Forwarded-Host": address.host }) : undefined;
}

/** Decodes the path of a `data:` URL (RFC 2397). Undefined if it is malformed. */
function decodeDataUrl(path: string): Buffer | undefined {
  const [, type = "", data = ""] = /^([^,]*),(.*)$/s.exec(path) ?? [];
  try {
    return Buffer.from(decodeURIComponent(data), /;base64$/i.test(type) ? "base64" : "utf8");
  } catch {
    return undefined;
  }
}

/** The size of an image, in units of its format. */
interface ImageSize {
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
