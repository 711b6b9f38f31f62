import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";
import { type VerifyReport, verifyRestServer } from "../../src/verify.js";
import { toJsonReport } from "../../src/verify.js";
