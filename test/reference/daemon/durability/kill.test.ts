import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { type DaemonProcess, startDaemonProcess } from "../../../support/daemon-process.js";
import { temporaryFolder } from "../../../support/reference-process.js";
import { startSubscriptionServer, trojanList } from "../../../support/subscription-server.js";

const rounds = 3;
const loadMs = 300;
const networks = 4;

/** The state of one network that the daemon has acknowledged. */
interface Acknowledged {
  readonly id: number;
  selected: number;
  /** Sent but not acknowledged, so it may or may not be stored. */
  sent: number;
  calls: number;
  /** Ids of other networks that were created meanwhile. */
  readonly made: number[];
}

/** The ways in which a client may report that the daemon was killed. */
const endsOfDaemon: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.Canceled]);

/** Selects nodes and creates networks until the daemon is killed. */
async function write({ proxySubscriptions }: DaemonProcess["client"], url: string, done: Acknowledged): Promise<void> {
  try {
    for (;;) {
      done.sent = (done.selected % 3) + 1;
      const { selectedOrdinal } = await proxySubscriptions.selectNode({ id: done.id, selectedOrdinal: done.sent });
      done.selected = selectedOrdinal;
      done.calls++;
      if (done.calls % 20 === 0) done.made.push((await proxySubscriptions.applyImport({ url, name: "more" })).id);
    }
  } catch (error) {
    if (!endsOfDaemon.has(ConnectError.from(error).code)) throw error;
  }
}

it("keeps every acknowledged import and selection when it is killed under load", async () => {
  using folder = temporaryFolder();
  const { url } = await startSubscriptionServer(() => trojanList("fra1", "fra2", "sto1"));
  const start = () => startDaemonProcess(folder.inside("daemon.sock"), "--data", folder.inside("data"));
  let daemon = await start();
  const written: Acknowledged[] = [];
  for (let index = 0; index < networks; index++) {
    const { id } = await daemon.client.proxySubscriptions.applyImport({ url, name: "N", selectedOrdinal: 1 });
    written.push({ id, selected: 1, sent: 1, calls: 0, made: [] });
  }

  for (let round = 0; round < rounds; round++) {
    const before = written.map(({ calls }) => calls);
    const load = Promise.all(written.map((done) => write(daemon.client, url, done)));
    await sleep(loadMs);
    while (written.some(({ calls }, index) => calls < (before[index] ?? 0) + 25)) await sleep(20);
    daemon.child.kill("SIGKILL");
    await load;
    expect(await daemon.finished).toMatchObject({ signal: "SIGKILL" });
    daemon = await start();
    for (const done of written) {
      // An import without a selection returns the stored selection.
      const { selectedOrdinal } = await daemon.client.proxySubscriptions.applyImport({ id: done.id, url });
      expect([done.selected, done.sent]).toContain(selectedOrdinal);
      done.selected = selectedOrdinal;
      for (const id of done.made) {
        const reply = await daemon.client.proxySubscriptions.selectNode({ id, selectedOrdinal: 3 });
        expect(reply).toMatchObject({ id, selectedOrdinal: 3 });
      }
    }
  }
  expect(written.flatMap(({ made }) => made).length).toBeGreaterThan(0);
  daemon.child.kill("SIGTERM");
  expect(await daemon.finished).toMatchObject({ code: 0 });
});
