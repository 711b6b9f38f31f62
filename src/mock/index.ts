export { MissingPeerError } from "../base/missing-peer-error.js";
export type { DaemonServer } from "../daemon/server/daemon-server.js";
export type { Listening, ListenOptions } from "../listen.js";
export { ListenError } from "../listen.js";
export { createChatMock } from "./create-chat-mock.js";
export { createDaemonMock, type DaemonMockOptions } from "./daemon/create-daemon-mock.js";
