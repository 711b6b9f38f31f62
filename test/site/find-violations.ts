import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules about colours. Only these can have other findings in another colour scheme. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Lists what axe-core finds wrong on a page, in light and in dark colours, one line for each rule. Takes longer for a part of a page than
 * for the whole, unless the part is small.
 */
export async function findViolations(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("html:not(.dark)").waitFor();
  const inLight = await runAxe(page, part);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html.dark").waitFor();
  return [...inLight, ...(await runAxe(page, part, colourRules)).map((found) => `in dark colours, ${found}`)];
}

interface Axe {
  readonly run: (
    part: string | Document,
    options: object,
  ) => Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}

function runAxe(page: Page, part: string | undefined, rules?: readonly string[]): Promise<string[]> {
  // Skips the long list of passes, and the style sheets, which these rules do not need.
  const options = {
    preload: false,
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: { type: "rule", values: rules } }),
  };
  return page.evaluate(
    async ([selector, given]) => {
      const { violations } = await (window as unknown as { axe: Axe }).axe.run(selector ?? document, given);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))}`);
    },
    [part, options] as const,
  );
}

/** The viewport of a phone, in which nothing may be cut off. */
export const phone = { width: 390, height: 844 };

/** Lists what is beyond the right edge of a phone, or of a part of the page, unless it is in something that scrolls. */
export async function findCutOff(page: Page, part = ".VPContent"): Promise<string[]> {
  await page.setViewportSize(phone);
  return page.evaluate(
    ([selector, width]) => {
      const isScrolled = (one: Element) => one.closest("pre, table, .scroll, div[class*=language-]") !== null;
      const edge = Math.min(width, document.querySelector(selector)?.getBoundingClientRect().right ?? width);
      const beyond = [...document.querySelectorAll(`${selector} *`)]
        .filter((one) => one.checkVisibility() && !isScrolled(one) && one.getBoundingClientRect().right > edge + 1)
        .map((one) => one.outerHTML.slice(0, 120));
      return document.documentElement.scrollWidth > width ? ["the page scrolls sideways", ...beyond] : beyond;
    },
    [part, phone.width] as const,
  );
}
