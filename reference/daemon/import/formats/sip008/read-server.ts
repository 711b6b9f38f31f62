import type { Entry } from "../../entry.js";
import { finishDraft } from "../objects/draft.js";
import { type Fields, textOf } from "../objects/fields.js";
import { pluginText } from "../objects/plugin-text.js";

/** Reads a server of SIP008. Servers have no type, so a rejected one has no scheme. */
export function readServer(server: Fields): Entry {
  const result = finishDraft({
    protocol: "shadowsocks",
    name: textOf(server, "remarks"),
    server: textOf(server, "server"),
    port: textOf(server, "server_port"),
    transport: "tcp",
    security: "none",
    checksCertificate: true,
    settings: {
      method: textOf(server, "method"),
      password: textOf(server, "password"),
      plugin: pluginText(textOf(server, "plugin"), textOf(server, "plugin_opts")),
    },
  });
  return typeof result === "string" ? { kind: "rejected", scheme: "", reason: result } : { kind: "node", node: result };
}
