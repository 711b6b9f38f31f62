import type { Page } from "playwright-core";

/**
 * Finds the texts of a page whose contrast with their background is too low for level AA (WCAG 2.2, 1.4.3), with the ratio. Opens folded
 * parts first.
 */
export function lowContrast(page: Page): Promise<{ readonly seen: number; readonly tooLow: readonly string[] }> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = ([red = 0, green = 0, blue = 0]: readonly number[]) => {
      const linear = [red, green, blue].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
    };
    const groundOf = (element: Element): readonly number[] => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const color = parse(getComputedStyle(at).backgroundColor);
        if (color[3] === undefined || color[3] === 1) return color;
      }
      return parse(getComputedStyle(document.documentElement).backgroundColor);
    };
    const tooLow = new Set<string>();
    let seen = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element?.checkVisibility() || !node.textContent?.trim() || element.closest("script")) continue;
      seen++;
      const style = getComputedStyle(element);
      const [a, b] = [luminance(parse(style.color)), luminance(groundOf(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const [size, weight] = [Number.parseFloat(style.fontSize), Number(style.fontWeight)];
      const isLarge = size >= 24 || (size >= 18.66 && weight >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) {
        tooLow.add(`${element.tagName}.${element.className} "${node.textContent.slice(0, 20)}": ${ratio.toFixed(2)}`);
      }
    }
    return { seen, tooLow: [...tooLow] };
  });
}
