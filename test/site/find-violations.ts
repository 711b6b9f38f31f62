import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Lists what axe-core finds wrong in a part of a page, one line for each rule. */
export async function findViolations(page: Page, part: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (selector) => {
    const { axe: checker } = window as unknown as {
      readonly axe: {
        run: (part: string) => Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }>;
      };
    };
    const { violations } = await checker.run(selector);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, part);
}

/** Whether something of a page is cut off at its right. */
export function isCutOff(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}
