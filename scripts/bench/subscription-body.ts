/** The measured kinds of subscriptions. */
export type SubscriptionKind = "trojan links" | "vless links in base64" | "sing-box" | "clash";

/** Creates a subscription with `count` distinct nodes. */
export function subscriptionBody(kind: SubscriptionKind, count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const host = (n: number) => `n${n}.northwind.example`;
  switch (kind) {
    case "trojan links":
      return numbers.map((n) => `trojan://4q9JmTz2@${host(n)}:443?sni=${host(n)}#Node%20${n}\n`).join("");
    case "vless links in base64": {
      const links = numbers.map(
        (n) => `vless://7c4a8d09-ca37-4262-9d3b-5f0a1e8b6c12@${host(n)}:443?security=tls&type=ws#Node%20${n}\n`,
      );
      return Buffer.from(links.join("")).toString("base64");
    }
    case "sing-box":
      return JSON.stringify({
        outbounds: numbers.map((n) => ({
          type: "trojan",
          tag: `Node ${n}`,
          server: host(n),
          server_port: 443,
          password: "4q9JmTz2",
          tls: { enabled: true },
        })),
      });
    case "clash":
      return `proxies:\n${numbers
        .map((n) => `  - {name: Node ${n}, type: trojan, server: ${host(n)}, port: 443, password: 4q9JmTz2}\n`)
        .join("")}`;
  }
}
