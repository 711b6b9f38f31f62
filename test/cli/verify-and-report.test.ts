import { expect, it } from "vitest";
import { CouldNotRunError } from "../../src/base/could-not-run-error.js";
import { verifyAndReport } from "../../src/cli/verify-and-report.js";

it("distinguishes a fault of the verification itself from a failure of the server", async () => {
  const options = { jobs: 1, restartWait: 30, timeout: 1, minExercised: 50 };
  const broken = verifyAndReport("verify chat", options, "http://127.0.0.1:1", () =>
    Promise.reject(new TypeError("x is not a function")),
  );
  await expect(broken).rejects.toThrow(CouldNotRunError);
  await expect(broken).rejects.toThrow(
    "A fault of this package, not of the server, ended the run: x is not a function",
  );
});
