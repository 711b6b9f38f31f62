/** The style of the page. The content security policy allows only its hash, so elements cannot have `style` attributes. */
export const docsStyle = `
:root{color-scheme:light dark;--ground:light-dark(#fff,#15181b);--panel:light-dark(#f6f7f8,#1d2125);--text:light-dark(#1d2125,#e2e5e8);--muted:light-dark(#59616b,#9ca5af);--line:light-dark(#dfe2e5,#2f353b);--link:light-dark(#0a569f,#7fb8f2);--good:light-dark(#1b6239,#8bd6a6);--bad:light-dark(#9c211b,#ffa29b);--hint:light-dark(#744e00,#efc47c);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0 auto;max-width:1280px;padding:0 20px 64px;background:var(--ground);color:var(--text);overflow-wrap:anywhere}
h1{margin:28px 0 8px;font-size:1.5rem}
h2{margin:40px 0 12px;font-size:1.2rem}
h3{display:inline;margin:0;font-size:1rem}
h4{margin:16px 0 4px;font-size:.9rem;color:var(--muted);font-weight:600}
p,ul,ol,pre,table{margin:8px 0}
code,pre{font-family:var(--mono);font-size:.86em}
pre{max-height:26em;overflow:auto;padding:10px 12px;background:var(--panel);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
small,.source,.place,.bound,.type{color:var(--muted);font-weight:400}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
.aside{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.columns{display:grid;grid-template-columns:280px minmax(0,1fr);gap:36px}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:12px 0;font-size:.87rem}
nav ul{list-style:none;margin:2px 0 8px;padding:0 0 0 14px}
nav li{padding:2px 0}
input{width:100%;font:inherit;color:inherit;background:var(--panel);border:1px solid var(--muted);border-radius:6px;padding:6px 10px}
output{display:block;min-height:1.6em;color:var(--muted)}
summary{cursor:pointer}
.entry{margin:0 0 14px;padding:12px 16px;border:1px solid var(--line);border-radius:8px;content-visibility:auto;contain-intrinsic-size:auto 240px;scroll-margin-top:12px}
details.entry:not([open]){contain-intrinsic-size:auto 48px}
.entry:target{border-color:var(--link)}
.method{display:inline-block;font:600 .78rem/1.7 var(--mono);padding:0 7px;border-radius:4px;background:var(--panel);border:1px solid var(--line)}
nav .method{padding:0 4px;font-size:.7rem}
.good{color:var(--good)}.bad{color:var(--bad)}
.deprecated,.should{color:var(--hint)}
.must,.required{color:var(--good)}
.strength,.required,.deprecated{font-size:.8rem;font-weight:600}
table{width:100%;border-collapse:collapse}
th,td{padding:5px 10px 5px 0;text-align:left;vertical-align:top;font-weight:400;border-top:1px solid var(--line)}
th{width:34%}
td p{margin:2px 0}
.rules{list-style:none;padding:0}
.rules li{padding:6px 0;border-top:1px solid var(--line)}
.rules p{margin:2px 0}
details.case{margin:6px 0}
.steps li{margin:4px 0}
@media (max-width:800px){
body{padding:0 12px 48px}
.columns{display:block}
nav{position:static;max-height:none}
.entry{padding:10px 12px}
th,td{display:block;width:auto;padding:2px 0}
td{border-top:0;padding-bottom:6px}
}
@media print{nav{display:none}.columns{display:block}.entry{break-inside:avoid;content-visibility:visible}}
`;
