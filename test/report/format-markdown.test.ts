import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../src/report/format-markdown.js";
import { hostileReport } from "./hostile-report.js";
import { hostileTexts } from "./hostile-texts.js";
import { failing, sampleCheck, sampleReport, smallReport } from "./sample-report.js";

// HTML stays on, as on GitHub, so that markup from the server would show.
const markdown = new MarkdownIt({ html: true, linkify: true });

describe("formatMarkdown", () => {
  it("shows the verdict, each broken rule with its check, and the rules by resource", () => {
    const html = markdown.render(
      formatMarkdown(
        smallReport({
          checks: [
            sampleCheck(),
            sampleCheck({
              id: "case editMessage/content_with_channel",
              rules: ["messages.edit.content-with-stream"],
              outcome: failing,
            }),
          ],
        }),
      ),
    );
    expect(html).toContain("<h2>FAIL: accord verify chat</h2>");
    expect(html).toContain("<code>messages.edit.content-with-stream</code> <b>FAIL</b>");
    expect(html).toContain("Source: Edit a message, rule 1");
    expect(html).toContain("<code>case editMessage/content_with_channel</code>");
    expect(html).toContain("<li>expected status 400, got 200</li>");
    expect(html).toContain("HTTP/1.1 200 OK");
    expect(html).toMatch(/<td>messages<\/td>\s*<td style="text-align:right">1<\/td>/);
  });

  it.each(hostileTexts)("shows %j as text", (text) => {
    const html = markdown.render(formatMarkdown(hostileReport(text)));
    expect(html).not.toMatch(/<(?!\/?(?:h2|p|ul|li|code|pre|table|thead|tbody|tr|th|td|details|summary|b)\b)/);
    expect(html).not.toMatch(/<\w+ (?!style="text-align:right")/);
  });

  it("stays below the size of a job summary, whatever fails", async () => {
    const report = await sampleReport();
    const checks = report.checks.map((check) => ({
      ...check,
      outcome: { ...failing, problems: Array.from({ length: 5 }, () => "x".repeat(9000)) },
    }));
    expect(formatMarkdown({ ...report, checks }).length).toBeLessThan(1 << 20);
  });
});
