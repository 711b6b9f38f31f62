import { device, newest } from "../example-calls.js";
import type { Call, CleanSequence } from "../exchanges.js";

const uploaded: Call = ["uploadFile", {}, { answer: { url: "/user_uploads/2/ab/act1.txt", filename: "act [1].txt" } }];
const part = (method: string, options: Call[2]): Call => [
  undefined,
  {},
  { target: "/tus/24e533", method, answer: "", headers: { "tus-resumable": "1.0.0" }, ...options },
];

/** Sequences of uploads, and of calls that register devices. */
export const uploadAndDeviceSequences: readonly CleanSequence[] = [
  {
    name: "registers devices of several accounts, and one again",
    calls: [
      newest,
      ["registerPushDevice", device],
      ["registerPushDevice", { ...device, push_account_id: 881_726_354 }, { as: "hamlet" }],
      ["registerPushDevice", device],
    ],
    keeps: [
      "push.register.account-id-unique",
      "push.register.key-pair",
      "push.register.registration-key",
      "push.register.client-base64",
      "push.register.client-enabled",
    ],
  },
  {
    name: "registers a device whose ciphertext begins with a brace",
    calls: [
      newest,
      [
        "registerPushDevice",
        { ...device, encrypted_push_registration: "e7Z3Jn9o0mYdZ4tN7q3bq8u2m1Qh5Cq1y+0dXk7vJkA=" },
      ],
    ],
    keeps: ["push.register.registration-key"],
  },
  {
    name: "registers no device where the settings say that push notifications are disabled",
    calls: [
      ["getServerSettings", {}, { answer: { service_feature_level: 415, push_notifications_enabled: false } }],
      newest,
      ["registerPushDevice", device],
    ],
    keeps: ["push.register.client-enabled"],
  },
  {
    name: "drops square brackets from a link, and writes others as they are",
    calls: [
      uploaded,
      [
        "editMessage",
        { message_id: 21, content: "[see] [act 1.txt](/user_uploads/2/ab/act1.txt) and [act [1].txt](/elsewhere)" },
      ],
    ],
    keeps: ["uploads.create.markdown-link-brackets", "uploads.create.large-files"],
  },
  {
    name: "resumes an upload",
    calls: [
      newest,
      [
        "createResumableUpload",
        {},
        {
          status: 201,
          answer: "",
          headers: { "tus-resumable": "1.0.0", "upload-length": "30000000" },
          responseHeaders: { location: "/api/v1/tus/24e533" },
        },
      ],
      part("PATCH", { headers: { "tus-resumable": "1.0.0", "upload-offset": "0" }, answer: null }),
      part("HEAD", { responseHeaders: { "upload-offset": "700" } }),
      part("PATCH", {
        headers: { "tus-resumable": "1.0.0", "upload-offset": "700" },
        status: 204,
        responseHeaders: { "upload-offset": "900" },
      }),
      part("PATCH", { headers: { "tus-resumable": "1.0.0", "upload-offset": "900" }, answer: null }),
      part("HEAD", { responseHeaders: { "upload-offset": "900" } }),
      part("PATCH", {
        headers: { "tus-resumable": "1.0.0", "upload-offset": "900" },
        status: 204,
        responseHeaders: { "upload-offset": "999" },
      }),
    ],
    keeps: ["uploads.tus.client-version", "uploads.tus.client-offset"],
  },
  {
    name: "uploads a part of a file whose length it does not know, and joins parts",
    calls: [
      newest,
      [
        "createResumableUpload",
        {},
        { status: 201, answer: "", headers: { "tus-resumable": "1.0.0", "upload-defer-length": "1" } },
      ],
      [
        "createResumableUpload",
        {},
        {
          status: 201,
          answer: "",
          headers: { "tus-resumable": "1.0.0", "upload-length": "9", "upload-concat": "partial" },
        },
      ],
      [
        "createResumableUpload",
        {},
        {
          status: 201,
          answer: "",
          headers: { "tus-resumable": "1.0.0", "upload-concat": "final;/api/v1/tus/1 /api/v1/tus/2" },
        },
      ],
      [
        "createResumableUpload",
        {},
        { status: 201, answer: "", headers: { "tus-resumable": "1.0.0", "upload-length": "0" } },
      ],
    ],
    keeps: ["uploads.tus.client-length"],
  },
  {
    name: "uploads a file just below 25 MB",
    calls: [newest, ["uploadFile", {}, { bodyBytes: 25_000_300 }]],
    keeps: ["uploads.create.client-large-decimal", "uploads.create.large-files"],
  },
  {
    name: "adds and removes device tokens",
    calls: [
      ["addIosDeviceToken", { token: "1fe40a7707bebcf7", appid: "com.example.chat" }],
      ["removeAndroidToken", { token: "c0ffee:APA91b" }],
    ],
    keeps: ["push.add-ios-token.client-token", "push.remove-android-token.client-token"],
  },
];
