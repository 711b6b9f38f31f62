import { expectTypeOf } from "vitest";
import { createDaemonClient, createDaemonServer, type DaemonHandlers } from "../../src/daemon/index.js";

// Checked by the compiler in `npm run lint`; nothing here runs.
export async function callsAreTyped(): Promise<void> {
  const daemon = createDaemonClient({ address: "unix:/run/daemon.sock", protocol: "grpc-web" });
  // @ts-expect-error: not one of the protocols.
  createDaemonClient({ address: "http://127.0.0.1:4020", protocol: "rest" });

  const selected = await daemon.proxySubscriptions.selectNode({ id: 7, selectedOrdinal: 2 });
  expectTypeOf(selected.selectedOrdinal).toEqualTypeOf<number>();
  // @ts-expect-error: the reply has no such field.
  selected.ordinal;

  // @ts-expect-error: `id` is a number.
  await daemon.proxySubscriptions.selectNode({ id: "7" });
  // @ts-expect-error: a misspelt field.
  await daemon.proxySubscriptions.selectNode({ id: 7, selectedOrdinals: 2 });
  // @ts-expect-error: no such RPC.
  await daemon.proxySubscriptions.deleteImport({ id: 7 });
  await daemon.meshControl.loginCancel({});
}

export async function handlersAreTyped(): Promise<void> {
  const handlers: DaemonHandlers = {
    previewImport: ({ url }) => ({ suggestedName: url, node: [{ ordinal: 1 }] }),
    applyImport: async ({ id, selectedOrdinal }, { signal }) => ({
      id,
      selectedOrdinal: signal.aborted ? 0 : selectedOrdinal,
    }),
    // @ts-expect-error: `id` is a number.
    selectNode: () => ({ id: "7" }),
    loginCancel: (_, { requestHeader }) => {
      expectTypeOf(requestHeader).toEqualTypeOf<Headers>();
      return {};
    },
  };
  await createDaemonServer({ handlers, onCall: ({ durationMs }) => expectTypeOf(durationMs).toEqualTypeOf<number>() });
  const { loginCancel: _, ...rest } = handlers;
  // @ts-expect-error: a handler is missing.
  await createDaemonServer({ handlers: rest });
}
