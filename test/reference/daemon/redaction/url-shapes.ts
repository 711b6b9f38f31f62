/** A place in a URL that can contain a secret. */
export interface UrlShape {
  readonly name: string;
  /** The URL at an origin such as `https://sub.northwind.example`. */
  readonly at: (origin: string) => string;
  /** Decoded, not as written in the URL. */
  readonly secrets: readonly string[];
}

const jwt = [
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
  "eyJzdWIiOiJoZWxnYSIsImFjY2VzcyI6InN1YnNjcmlwdGlvbiJ9",
  "Q0bK3vXz8mLpR7tYwN2sHfGdJcVaEuIo",
] as const;

/** Adds a user name, and optionally a password, to an origin. */
function withUser(origin: string, user: string): string {
  return origin.replace("://", `://${user}@`);
}

/** The places of secrets in subscription URLs. */
export const urlShapes: readonly UrlShape[] = [
  {
    name: "user name",
    at: (origin) => `${withUser(origin, "tok-5b1f8e0a2d")}/nodes`,
    secrets: ["tok-5b1f8e0a2d", "tok-5b1f8e0a2d:"],
  },
  {
    name: "password",
    at: (origin) => `${withUser(origin, "grace:vX9pLm3QwE")}/nodes`,
    secrets: ["vX9pLm3QwE", "grace:vX9pLm3QwE"],
  },
  {
    name: "percent-encoded password",
    at: (origin) => `${withUser(origin, "grace:s%C3%BC%C3%9F%2Fes%20Geheimnis")}/nodes`,
    secrets: ["süß/es Geheimnis", "grace:süß/es Geheimnis"],
  },
  {
    name: "path",
    at: (origin) => `${origin}/s/d41d8cd98f00b204e9800998ecf8427e`,
    secrets: ["d41d8cd98f00b204e9800998ecf8427e"],
  },
  { name: "short path", at: (origin) => `${origin}/sub/kJ8mPq4L`, secrets: ["kJ8mPq4L"] },
  { name: "percent-encoded path", at: (origin) => `${origin}/sub/%77Q7%7Ar%54x%39`, secrets: ["wQ7zrTx9"] },
  { name: "path beyond ASCII", at: (origin) => `${origin}/s/schlüssel香港鍵`, secrets: ["schlüssel香港鍵"] },
  { name: "path parameter", at: (origin) => `${origin}/s;token=yN5cWd8RfK/list`, secrets: ["yN5cWd8RfK"] },
  { name: "JWT", at: (origin) => `${origin}/sub/${jwt.join(".")}`, secrets: [jwt.join("."), ...jwt.slice(1)] },
  {
    name: "query value",
    at: (origin) => `${origin}/api/v1/client/subscribe?flag=clash&token=e3b0c44298fc1c149afbf4c8996fb924`,
    secrets: ["e3b0c44298fc1c149afbf4c8996fb924"],
  },
  { name: "bare query", at: (origin) => `${origin}/nodes?Q7wXv2LmN9pR`, secrets: ["Q7wXv2LmN9pR"] },
  { name: "fragment", at: (origin) => `${origin}/list#key=pZ4sKd8HqT`, secrets: ["pZ4sKd8HqT"] },
  {
    name: "JSON in the fragment",
    at: (origin) => `${origin}/list#%7B%22key%22%3A%22mB2vTr6YwC%22%7D`,
    secrets: ["mB2vTr6YwC"],
  },
  {
    name: "nested URL",
    at: (origin) =>
      `${origin}/sub?target=clash&url=${encodeURIComponent("https://ada:hG3kZx7Q@x.example/s/9e107d9d372bb682")}`,
    secrets: ["9e107d9d372bb682", "hG3kZx7Q"],
  },
];

/** Texts that are not fetchable URLs. */
export const unusableUrls: readonly UrlShape[] = [
  "https://sub.northwind.example:https/s/45c48cce2e2d7fbd",
  "https://[45c48cce2e2d7fbd",
  "https://45c48cce2e2d7fbd%@h.example%00/",
  "sub.northwind.example/s/45c48cce2e2d7fbd",
  "45c48cce2e2d7fbd",
  "//h.example/45c48cce2e2d7fbd",
  "ftp://mirror:45c48cce2e2d7fbd@ftp.lucerne.example/nodes.txt",
  "file:///home/45c48cce2e2d7fbd",
  "trojan://45c48cce2e2d7fbd@h.example:443",
  "ss://45c48cce2e2d7fbd",
  "45c48cce2e2d7fbd:x",
  "https://h:x.example/\u0000\u202e45c48cce2e2d7fbd",
  `https://h.example/${"45c48cce2e2d7fbd".repeat(600)}`,
].map((text) => ({ name: JSON.stringify(text.slice(0, 70)), at: () => text, secrets: ["45c48cce2e2d7fbd"] }));
