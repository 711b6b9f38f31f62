import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../scripts/bench/free-port.js";

/** An nginx that forwards every request. */
export interface Nginx {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts nginx in front of a server, with its default configuration except for the size of bodies. */
export async function startNginx(upstream: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "accord-nginx-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = `
    ${process.getuid?.() === 0 ? "user root;" : ""} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events {}
    http {
      access_log off; client_max_body_size 100m;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
      server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } }
    }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const child = spawn("nginx", ["-p", folder, "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")], {
    // Debian installs it where only root looks.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
  });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  while (child.exitCode === null) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(50);
  }
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}
