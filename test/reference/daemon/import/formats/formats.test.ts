import { describe, expect, it } from "vitest";
import { readAll } from "./read-all.js";

const link = "trojan://pw@a.example:443#a";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const item = "  - {name: a, type: trojan, server: a.example, port: 443, password: pw}\n";

describe("detection", () => {
  it.each([
    ["a link", link, "uri-list"],
    ["a link below comments", `# a\n// b\n\n${link}`, "uri-list"],
    ["a link of an unknown scheme", "gopher://a.example", "uri-list"],
    ["a link in prose", `see ${link}`, undefined],
    ["an indented link below prose", `prose\n  ${link}`, undefined],
    ["a link in a web page", `<pre>\n${link}\n</pre>`, undefined],
    ["a scheme that starts with a digit", "1trojan://pw@a.example:443", undefined],
    ["base64", base64(link), "base64-uri-list"],
    ["base64 twice", base64(base64(link)), undefined],
    ["base64 of a web page", base64(`<pre>\n${link}\n</pre>`), undefined],
    ["base64 of Clash", base64(`proxies:\n${item}`), undefined],
    ["base64 with padding too long", `${base64(link)}==`, undefined],
    ["base64 with a letter too many", `${base64(`${link}abc`)}A`, undefined],
    ["Clash", `proxies:\n${item}`, "clash"],
    ["Clash, older", `Proxy:\n${item}`, "clash"],
    ["Clash with another case", `PROXIES:\n${item}`, undefined],
    ["Clash in another key", `x:\n  proxies:\n${item.replace(/^/gm, "  ")}`, undefined],
    ["Clash in a text", `x: |\n  proxies:\n${item}`, undefined],
    ["Clash with quotes around the key", `"proxies":\n${item}`, "clash"],
    ["Clash with a remark at the key", `proxies: # all\n\n# of them\n${item}`, "clash"],
    ["SIP008", '{"version":1,"servers":[]}', "sip008"],
    ["SIP008 without servers", '{"version":1}', undefined],
    ["SIP008 whose servers are not a list", '{"version":1,"servers":{}}', undefined],
    ["servers without a version", '{"servers":[{"server":"a","method":"b"}]}', "sip008"],
    ["servers of something else", '{"servers":[{"name":"a"}]}', undefined],
    ["sing-box", '{"outbounds":[{"type":"direct"}]}', "sing-box"],
    ["sing-box with a bad first outbound", '{"outbounds":[null,{"type":"direct"}]}', "sing-box"],
    ["sing-box, endpoints alone", '{"endpoints":[{"type":"wireguard"}]}', "sing-box"],
    ["Xray", '{"outbounds":[{"protocol":"vless"}]}', undefined],
    ["a list of configurations", '[{"outbounds":[{"type":"direct"}]}]', undefined],
  ])("detects the format of %s", (_, text, format) => {
    expect(readAll(text)?.format).toBe(format);
  });
});

describe("long content", () => {
  it.each([
    ["blank lines", `${link}\n${"\n".repeat(1_000_000)}${link}`, 2, 0],
    ["comments", `${link}\n${"#\n".repeat(500_000)}${link}`, 2, 0],
    ["base64 of blank lines", base64(`${link}\n${"\n".repeat(1_000_000)}${link}`), 2, 0],
    ["base64 of one line", base64(`${link}\n${"x".repeat(1_000_000)}\n${link}`), 2, 1],
    ["an item of blank lines", `proxies:\n${item}\n${"\n".repeat(400_000)}${item}`, 2, 0],
    ["a string", `{"outbounds":[{"type":"trojan","tag":"${"x".repeat(1_000_000)}"}]}`, 0, 1],
  ])("may contain %s", (_, text, nodes, rejected) => {
    expect(readAll(text)).toMatchObject({ nodes: { length: nodes }, rejected: { length: rejected } });
  });

  const rules = `rules:\n${"  - DOMAIN-SUFFIX,northwind.example,DIRECT\n".repeat(3_000)}`;
  it.each([
    ["no value", `proxies:\n${rules}`],
    ["no value but a remark", `proxies: # none\n\n# at all\n${rules}`],
    ["no value at the end", `${rules}proxies:\n`],
    ["null", `proxies: null\n${rules}`],
    ["a tilde", `proxies: ~ # none\n${rules}`],
    ["an empty list", `proxies: []\n${rules}`],
    ["an empty list of the older key", `Proxy: [ ] # none\n${rules}`],
    ["an empty list in JSON", JSON.stringify({ proxies: [], rules: rules.split("\n") })],
  ])("counts as a Clash document without proxies: %s", (_, text) => {
    expect(readAll(text)).toMatchObject({ format: "clash", nodes: [], rejected: [] });
  });

  it("does not count as a Clash document if it is prose", () => {
    expect(readAll(`proxies:\nare expensive. ${"They are. ".repeat(10_000)}`)).toBeUndefined();
    expect(readAll(`proxies: are expensive. ${"They are. ".repeat(10_000)}`)).toBeUndefined();
  });

  const proxies = Array.from({ length: 1_500 }, (_, index) => {
    return {
      name: `${index}, [a] {b} #c "d" 'e', f]`,
      type: "trojan",
      server: "a.example",
      port: 443,
      password: "p\\w",
    };
  });
  const inJson = proxies.map((proxy) => JSON.stringify(proxy));
  const inSingleQuotes = proxies.map(({ name, ...proxy }) => {
    return `{name: '${name.replaceAll("'", "''")}', ${JSON.stringify(proxy).slice(1)}`;
  });
  it.each([
    ["as a flow list", `proxies: [${inJson}]\n${rules}`],
    ["as a flow list with remarks", `proxies: [\n  ${inJson.join(", # x]\n  ")}\n  ]`],
    ["in single quotes", `proxies: [${inSingleQuotes},]`],
    ["as JSON", JSON.stringify({ port: 1, proxies, rules: rules.split("\n") }, null, 1)],
  ])("is read completely from a Clash document %s", (_, text) => {
    const content = readAll(text);
    expect(content).toMatchObject({ format: "clash", rejected: [] });
    expect(content?.nodes.map(({ node }) => node.name)).toEqual(proxies.map(({ name }) => name));
    expect(content?.nodes.every(({ node }) => node.settings.password === "p\\w")).toBe(true);
  });

  it("loses only the bad items of a list", () => {
    const items = ["1", "[]", "null", "{name: b, type: trojan, x: {y: z}}", item.trim().slice(2)];
    for (const text of [`proxies: [${items}]`, `proxies:\n${items.map((it) => `- ${it}\n`).join("")}`])
      expect(readAll(text)).toMatchObject({
        nodes: [{ ordinal: 5 }],
        rejected: [
          { ordinal: 1, reason: "undecodable" },
          { ordinal: 2, reason: "undecodable" },
          { ordinal: 3, reason: "undecodable" },
          { ordinal: 4, reason: "missing-password" },
        ],
      });
  });

  it("may define anchors before the list", () => {
    const head = "port: 1\nbase: &base\n  type: trojan\n  port: 443\n# &none\nsecret: &secret pw\n";
    const items = Array.from({ length: 3_000 }, (_, index) => {
      return `{<<: *base, password: *secret, server: h${index}.example}`;
    });
    const [block, flow] = [items.map((it) => `  - ${it}\n`).join(""), ` [${items.join(",\n  ")}]`];
    for (const list of [block, flow]) {
      const content = readAll(`${head}proxies:${list === flow ? "" : "\n"}${list}`);
      expect(content).toMatchObject({ nodes: { length: 3_000 }, rejected: [] });
      expect(content?.nodes[2_999]?.node).toMatchObject({ server: "h2999.example", settings: { password: "pw" } });
    }
  });

  it("may contain groups with very many nodes, with their type in any position", () => {
    const outbounds = Array.from({ length: 10_000 }, (_, index) => `node ${index}`);
    const node = { type: "trojan", tag: "a", server: "a.example", server_port: 443, password: "pw" };
    const groups = [
      { type: "selector", outbounds },
      { outbounds, type: "urltest" },
      { outbounds, type: "trojan" },
    ];
    expect(readAll(JSON.stringify({ outbounds: [...groups, node] }))).toMatchObject({
      nodes: [{ ordinal: 2, node: { name: "a" } }],
      rejected: [{ ordinal: 1, scheme: "trojan", reason: "missing-password" }],
    });
  });

  it("loses a node with settings that are too long", () => {
    const password = "p".repeat(9_000);
    const outbound = { type: "trojan", tag: "a", server: "a.example", server_port: 443, password };
    expect(readAll(JSON.stringify({ outbounds: [outbound] }))?.rejected).toEqual([
      { ordinal: 1, scheme: "trojan", reason: "too-long" },
    ]);
  });
});

describe("malformed documents", () => {
  it.each([
    ["an unclosed quote", `proxies:\n${item}  - {name: "b}\n${item}`],
    ["an unclosed brace", `proxies:\n${item}  - {name: b`],
    ["a repeated key", `proxies:\n  - {name: a, name: b}\n${item}`],
    ["an alias without an anchor", `proxies:\n  - {name: *b}\n${item}`],
    ["unexpected indentation", `proxies:\n${item}   x: y\n`],
    ["a tab", `proxies:\n  - name: a\n\ttype: trojan\n`],
    ["SIP008 that ends early", '{"version":1,"servers":[{"server":"a"'],
    ["sing-box with a value without quotes", '{"outbounds":[{"type":trojan},{"type":"direct"}]}'],
  ])("have no known format: %s", (_, text) => {
    expect(readAll(text)).toBeUndefined();
  });
});

describe("the bounds of documents", () => {
  const bomb = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]\n`).join("");
  const merged = `{${Array.from({ length: 1_000 }, (_, n) => `k${n}: v`)}}`;
  it.each([
    ["nested YAML", `proxies: ${"[".repeat(50_000)}`, "too-complex"],
    ["YAML of a million items", `proxies:\n${"- a\n".repeat(1_000_000)}`, "too-complex"],
    ["YAML with masses of aliases", `x: &x a\nproxies: [${"*x,".repeat(300_000)}]`, "too-complex"],
    ["YAML with masses of merged keys", `x: &x ${merged}\nproxies:\n${"- <<: *x\n".repeat(1_000)}`, "too-complex"],
    ["more than 20,000 proxies in YAML", `proxies:\n${item.repeat(20_001)}`, "too-many-entries"],
    ["JSON of a million objects", `[${"{},".repeat(1_000_000)}{}]`, "too-complex"],
  ])("refuse %s", (_, text, reason) => {
    expect(() => readAll(text)).toThrow(expect.objectContaining({ reason }));
  });

  it("allow nested aliases, which take no memory", () => {
    expect(readAll(`a0: &a0 x\n${bomb}proxies: [*a40, {name: *a40, type: *a40}]`)).toMatchObject({
      nodes: [],
      rejected: [{ reason: "undecodable" }, { reason: "unknown-type" }],
    });
  });

  it("allow 20,000 proxies in YAML, and more in JSON", () => {
    expect(readAll(`proxies:\n${item.repeat(20_000)}`)?.nodes).toHaveLength(20_000);
    const proxies = Array.from({ length: 30_000 }, () => ({ type: "trojan", server: "a", port: 1, password: "p" }));
    expect(readAll(JSON.stringify({ proxies }))?.nodes).toHaveLength(30_000);
  });
});
