import type { DaemonServer } from "../daemon/server/create-daemon-server.js";
import type { Listening } from "../listen.js";
import { createChatMock } from "./chat/create-chat-mock.js";
import { createDaemonMock } from "./daemon/create-daemon-mock.js";

/** Serves both mocks on TCP ports of 127.0.0.1. If one cannot start, stops the other. */
export async function createMocks(ports: {
  chat: number;
  daemon: number;
}): Promise<{ chat: Listening; daemon: DaemonServer }> {
  const chat = await createChatMock({ port: ports.chat });
  try {
    return { chat, daemon: await createDaemonMock({ port: ports.daemon }) };
  } catch (error) {
    await chat.close();
    throw error;
  }
}
