import { describe, expect, it } from "vitest";
import { readReport } from "../../../site/components/reports/read-report.js";
import { formatJson, toJsonReport } from "../../../src/report/model/to-json-report.js";
import { hostileReport } from "../../report/hostile-report.js";
import { smallReport } from "../../report/sample-report.js";

const read = (text: string) => readReport(new File([text], "r.json"));

describe("readReport", () => {
  it.each([
    ["a small report", smallReport()],
    ["hostile texts", hostileReport("</script><img src=x onerror=alert(1)>{{ 1 }}")],
  ])("reads %s", async (_, report) => {
    expect(await read(formatJson(report))).toEqual(JSON.parse(formatJson(report)));
  });

  it.each([
    ["<!doctype html>", /not JSON.*not the one of --html/],
    ["null", /the top level must be object/],
    [JSON.stringify({ ...toJsonReport(smallReport()), format: 2 }), /\/format must be equal to constant/],
  ])("rejects %.30s", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("does not read a file that is too large", async () => {
    const file = new File(["{}"], "r.json");
    Object.defineProperty(file, "size", { value: 65 * 1024 * 1024 });
    await expect(readReport(file)).rejects.toThrow("It is larger than 64 MiB");
  });
});
