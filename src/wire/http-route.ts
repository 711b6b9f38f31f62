import { Agent, type AgentOptions, type RequestOptions } from "node:http";
import { Agent as TlsAgent, type AgentOptions as TlsAgentOptions } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { type ClientCertificate, certificateFor } from "./client-certificate.js";
import { type EnvProxy, hostOf, openTunnel, portOf, proxyOf } from "./env-proxy.js";

/**
 * Returns the options with which a request over HTTP/1.1 takes the proxy of the environment and shows the certificate of the run. `agents` are those
 * for direct requests without a certificate.
 */
export function routeOf(url: string, agents: { readonly plain: Agent; readonly tls: TlsAgent }): RequestOptions {
  const target = new URL(url);
  const proxy = proxyOf(target);
  const certificate = certificateFor(target.origin);
  if (target.protocol === "https:")
    return {
      agent:
        proxy === undefined && certificate === undefined ? agents.tls : createAgent(target, { proxy, certificate }),
    };
  if (proxy === undefined) return { agent: agents.plain };
  // A proxy need not allow tunnels for plain HTTP (RFC 9112, section 3.2.2).
  const { url: via, authorization } = proxy;
  return {
    agent: via.protocol === "https:" ? agents.tls : agents.plain,
    protocol: via.protocol,
    host: hostOf(via),
    hostname: hostOf(via),
    port: portOf(via),
    path: target.href,
    headers: { Host: target.host, ...(authorization === undefined ? {} : { "Proxy-Authorization": authorization }) },
  };
}

/** How to reach a server. */
export interface Access {
  readonly proxy: EnvProxy | undefined;
  readonly certificate: ClientCertificate | undefined;
}

/** Creates an agent for one server, which connects through the proxy by a tunnel. */
export function createAgent(target: URL, { proxy, certificate }: Access, options: AgentOptions = {}): Agent {
  const isTls = target.protocol === "https:";
  const common = { ...options, ...certificate };
  const agent = isTls ? new TlsAgent(common) : new Agent(options);
  if (proxy === undefined) return agent;
  const host = hostOf(target);
  const connect = async (given: TlsAgentOptions): Promise<Duplex> => {
    const socket = await openTunnel(proxy, target);
    return isTls
      ? connectTls({ ...given, ...certificate, socket, ...(isIP(host) ? {} : { servername: host }) })
      : socket;
  };
  return Object.assign(agent, {
    createConnection: (given: TlsAgentOptions, done: (error: Error | null, socket?: Duplex) => void) => {
      connect(given).then(
        (socket) => done(null, socket),
        (error: Error) => done(error),
      );
    },
  });
}
