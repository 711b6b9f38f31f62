/** Texts that break a page or document unless they are escaped. They set `__ran` if they run as a script. */
export const hostileTexts: readonly string[] = [
  '</script><script>window.__ran = "script"</script>',
  "<!--<script>window.__ran = 1</script>",
  '<img src="http://accord.invalid/x" onerror="window.__ran = 2">',
  '"><svg onload="window.__ran = 3">',
  "'><iframe srcdoc='<script>parent.__ran = 4</script>'></iframe>",
  "</style><style>@import 'http://accord.invalid/style';*{background:url(http://accord.invalid/y)}</style>",
  '<meta http-equiv="refresh" content="0;url=http://accord.invalid/z"><base href="http://accord.invalid/">',
  "</textarea></title></noscript></pre></code></details><a href=javascript:window.__ran=5>x</a>",
  "]]><x/>&amp;&lt;&#0;&nbsp;&undefined;",
  "javascript:window.__ran=6",
  "`<b>code</b>` and `\u2028` and {{constructor}} {{window.__ran = 7}}",
  "\0\x01\x0b\x1b[31m\r\n\t\x7f\x85\ud800 \udfff\ufffe\uffff \u202e",
  "x".repeat(3000),
  "日本語 👩‍👩‍👧 é",
  "__proto__",
  "",
];
