import type { Listening } from "../src/base/listen.js";
import { createChatMock } from "../src/chat/mock.js";
import { createDaemonMock } from "../src/daemon/mock.js";
import type { RunningServer as DaemonServer } from "../src/server/running-server.js";

/** Serves both mocks on TCP ports, by default of 127.0.0.1. If one cannot start, stops the other. */
export async function createMocks({
  host = "127.0.0.1",
  ...ports
}: {
  chat: number;
  daemon: number;
  host?: string;
}): Promise<{ chat: Listening; daemon: DaemonServer }> {
  const chat = await createChatMock({ port: ports.chat, host });
  try {
    return { chat, daemon: await createDaemonMock({ port: ports.daemon, host }) };
  } catch (error) {
    await chat.close();
    throw error;
  }
}
