// The package has no main module: each of its parts has requirements of its own, such as a browser, Node or an optional package.
throw new Error(
  "accord-contracts has no main module. Import accord-contracts/chat, accord-contracts/chat/server, accord-contracts/chat/server/fastify, " +
    "accord-contracts/checks, accord-contracts/daemon, accord-contracts/mock, accord-contracts/runtime/client, accord-contracts/runtime/fastify, " +
    "accord-contracts/runtime/rpc, accord-contracts/runtime/server or accord-contracts/verify",
);

export {};
