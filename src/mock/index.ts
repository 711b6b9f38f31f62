export { createChatMock } from "./chat/create-chat-mock.js";
export { createDaemonMock } from "./daemon/create-daemon-mock.js";
