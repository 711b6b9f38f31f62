import { device, newest, settings, sha256 } from "../example-calls.js";
import type { Call, PlantedMistake } from "../exchanges.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const upload = (filename: string): Call => [
  "uploadFile",
  {},
  { answer: { url: "/user_uploads/2/ab/notes.txt", uri: "/user_uploads/2/ab/notes.txt", filename } },
];
const created: Call = [
  "createResumableUpload",
  {},
  {
    status: 201,
    answer: "",
    headers: { "tus-resumable": "1.0.0", "upload-length": "30000000" },
    responseHeaders: { location: "/api/v1/tus/24e533" },
  },
];

/** Mistakes in uploads, and in calls that register devices. */
export const uploadAndDeviceMistakes: readonly PlantedMistake[] = [
  {
    name: "a key in base64url",
    rule: "push.register.client-base64",
    calls: [
      newest,
      [
        "registerPushDevice",
        { ...device, push_public_key: device.push_public_key.replaceAll("+", "-") },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a ciphertext in base64url",
    rule: "push.register.client-base64",
    calls: [
      newest,
      [
        "registerPushDevice",
        { ...device, encrypted_push_registration: device.encrypted_push_registration.replaceAll("/", "_") },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a key that is the base64 of hex digits",
    rule: "push.register.key-pair",
    calls: [newest, ["registerPushDevice", { ...device, push_public_key: base64(sha256("key")) }]],
  },
  {
    name: "a registration that is not encrypted",
    rule: "push.register.registration-key",
    calls: [
      newest,
      [
        "registerPushDevice",
        {
          ...device,
          encrypted_push_registration: base64('{"token": "c1b2", "token_kind": "android", "timestamp": 1767603600}'),
        },
      ],
    ],
  },
  {
    name: "one push_account_id for two accounts",
    rule: "push.register.account-id-unique",
    calls: [newest, ["registerPushDevice", device], ["registerPushDevice", device, { as: "hamlet" }]],
  },
  {
    name: "a device for a server without a push service",
    rule: "push.register.client-enabled",
    calls: [
      settings(415, { push_notifications_enabled: false }),
      ["registerPushDevice", device, { answer: { code: "PUSH_SERVICE_NOT_CONFIGURED" } }],
    ],
  },
  {
    name: "a large file without tus",
    rule: "uploads.create.large-files",
    calls: [["uploadFile", {}, { bodyBytes: 30_000_000 }]],
  },
  {
    name: "square brackets in a link",
    rule: "uploads.create.markdown-link-brackets",
    calls: [
      upload("act [1].txt"),
      ["editMessage", { message_id: 21, content: "See [act [1].txt](/user_uploads/2/ab/notes.txt)" }],
    ],
  },
  {
    name: "a part of an upload without a version of tus",
    rule: "uploads.tus.client-version",
    calls: [
      newest,
      created,
      [
        undefined,
        {},
        {
          target: "/tus/24e533",
          method: "PATCH",
          status: 412,
          answer: "",
          headers: { "upload-offset": "0" },
          bodyBytes: 30_000_000,
        },
      ],
    ],
  },
  {
    name: "the creation of an upload without a version of tus",
    rule: "uploads.tus.client-version",
    calls: [
      newest,
      [
        "createResumableUpload",
        {},
        { status: 412, answer: { code: "BAD_REQUEST" }, headers: { "upload-length": "5" } },
      ],
    ],
  },
  {
    name: "a part of an upload at an offset other than the server's",
    rule: "uploads.tus.client-offset",
    calls: [
      newest,
      created,
      [
        undefined,
        {},
        {
          target: "/tus/24e533",
          method: "HEAD",
          answer: "",
          headers: { "tus-resumable": "1.0.0" },
          responseHeaders: { "upload-offset": "1000000" },
        },
      ],
      [
        undefined,
        {},
        {
          target: "/tus/24e533",
          method: "PATCH",
          status: 409,
          answer: "",
          headers: { "tus-resumable": "1.0.0", "upload-offset": "2000000" },
        },
      ],
    ],
  },
  {
    name: "an upload without a length",
    rule: "uploads.tus.client-length",
    calls: [
      newest,
      [
        "createResumableUpload",
        {},
        { status: 400, answer: { code: "BAD_REQUEST" }, headers: { "tus-resumable": "1.0.0" } },
      ],
    ],
  },
  {
    name: "a file of 25,500,000 bytes",
    rule: "uploads.create.client-large-decimal",
    calls: [newest, ["uploadFile", {}, { bodyBytes: 25_500_000 }]],
  },
  {
    name: "an empty Android token",
    rule: "push.remove-android-token.client-token",
    calls: [["removeAndroidToken", { token: "" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "an empty iOS token",
    rule: "push.add-ios-token.client-token",
    calls: [["addIosDeviceToken", { token: "", appid: "com.example.chat" }, { answer: { code: "BAD_REQUEST" } }]],
  },
];
