export type { Listening, ListenOptions } from "./base/listen.js";
export { ListenError } from "./base/listen.js";
export { MissingPeerError } from "./base/missing-peer-error.js";
export { createChatMock } from "./chat/mock.js";
export { createDaemonMock, type DaemonMockOptions } from "./daemon/mock.js";
export type { RunningServer as DaemonServer } from "./server/running-server.js";
