/**
 * The URL that a text is, by itself or against a base; undefined when it is none. `URL.canParse` is not used: in Node 20 it refuses text
 * beyond ASCII, such as `https://bücher.example`, as soon as the engine has compiled its caller (nodejs/node, fast call of canParse).
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
