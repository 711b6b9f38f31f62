import { endDescendants, markDescendants } from "../../scripts/test/end-run.js";

// Before each test file: ends this worker, and what its tests have started, when Vitest ends without ending it.
if (process.env.ACCORD_TEST_WORKER_PID !== String(process.pid)) {
  process.env.ACCORD_TEST_WORKER_PID = String(process.pid);
  const mark = markDescendants("ACCORD_TEST_WORKER");
  process.once("disconnect", () => {
    endDescendants(mark);
    process.exit();
  });
}
