export default {
  chat: {
    input: "chat.yaml",
    output: { target: "orval.ts", client: "fetch", baseUrl: "http://127.0.0.1:4010/api/v1" },
  },
};
