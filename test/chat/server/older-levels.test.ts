import { describe, expect, it } from "vitest";
import { createFetchHandler, type OperationId } from "../../../src/chat/server/index.js";
import { exampleService } from "./example-service.js";

const form = {
  Authorization: `Basic ${btoa("iago@example.com:key:1")}`,
  "Content-Type": "application/x-www-form-urlencoded",
};

describe("a server of an older feature level", () => {
  const at = async (featureLevel: number, method: string, path: string, body: string) => {
    const seen: [OperationId, object][] = [];
    const handle = createFetchHandler(exampleService({ featureLevel }, seen));
    const response = await handle(new Request(`http://localhost/api/v1${path}`, { method, headers: form, body }));
    return { status: response.status, body: await response.json(), seen };
  };

  it.each<[string, number, string, string, string, number, object]>([
    ["lacks an operation of a later level", 380, "POST", "/reminders", "note=tea", 404, { code: "BAD_REQUEST" }],
    [
      "does not require a parameter that is required later",
      222,
      "POST",
      "/users/me/ios_device_token",
      "token=a",
      200,
      { result: "success" },
    ],
    [
      "ignores a parameter of a later level",
      378,
      "PATCH",
      "/messages/1",
      "prev_content_sha256=x",
      200,
      { ignored_parameters_unsupported: ["prev_content_sha256"] },
    ],
  ])("%s", async (_, level, method, path, body, status, want) => {
    expect(await at(level, method, path, body)).toMatchObject({ status, body: want });
  });

  it("omits response fields of later levels", async () => {
    expect((await at(284, "PATCH", "/messages/1", "content=x")).body).toEqual({ result: "success", msg: "" });
    expect((await at(285, "PATCH", "/messages/1", "content=x")).body).toEqual({
      result: "success",
      msg: "",
      detached_uploads: [],
    });
  });

  it("reports no ignored parameters before level 167", async () => {
    expect((await at(166, "PATCH", "/messages/1", "colour=red")).body).not.toHaveProperty(
      "ignored_parameters_unsupported",
    );
    expect((await at(167, "PATCH", "/messages/1", "colour=red")).body).toHaveProperty(
      "ignored_parameters_unsupported",
      ["colour"],
    );
  });
});
