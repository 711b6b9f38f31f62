/**
 * The style of the page. The content security policy allows only its hash, so elements cannot have `style` attributes. Each verdict and state
 * has the colours of its square (`--solid`), of its word, and of the ground of its word (`--soft`), and the sign in its square.
 */
export const pageStyle = `
:root{color-scheme:light dark;
--ground:light-dark(#f6f6f3,#14171a);--panel:light-dark(#fff,#1b1f23);--sunk:light-dark(#f3f3f0,#15181c);
--text:light-dark(#1d2125,#e2e5e8);--muted:light-dark(#59616b,#9ca5af);--line:light-dark(#e0e1dd,#2d3338);
--link:light-dark(#0a569f,#7fb8f2);--other:light-dark(#a2a9b1,#6d757e);--mark:light-dark(#fff3c4,#4a4016);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;scroll-padding-top:7.5rem}
.passed,.kept,.pass,.done{--solid:light-dark(#8ccaa4,#35774f);--word:light-dark(#1b6239,#8bd6a6);--soft:light-dark(#e4f3e9,#1a3023);--sign:none}
.failed,.broken,.fail,.failing,.topic{--solid:light-dark(#cd3832,#f0645d);--word:light-dark(#9c211b,#ffa29b);--soft:light-dark(#fce9e7,#40201e);--sign:"\\00d7"}
.stale{--solid:light-dark(#b5387f,#e06cb0);--word:light-dark(#8b2462,#f5a6d3);--soft:light-dark(#fae8f2,#3b1c2f);--sign:"\\2191"}
.errored,.could-not-run,.stopped,.inconclusive,.not-implemented{--solid:light-dark(#7c55cf,#9d7ff0);--word:light-dark(#5733a0,#c3b0fa);--soft:light-dark(#eee9fb,#2a2145);--sign:"!"}
.expected,.partial{--solid:light-dark(#dd9f33,#d3993a);--word:light-dark(#744e00,#efc47c);--soft:light-dark(#fbf0d9,#392b12);--sign:"~"}
.deviating{--solid:light-dark(#2f8fb0,#55b3d3);--word:light-dark(#12566e,#a0d9ee);--soft:light-dark(#e2f1f6,#16303a);--sign:"\\2260"}
.skipped,.not-exercised,.untestable,.needs-states,.not-sent,.unknown{--solid:light-dark(#a2a9b1,#6d757e);--word:light-dark(#555d66,#aab2bb);--soft:light-dark(#ecedea,#262b30);--sign:none}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:0 20px 64px;background:var(--ground);color:var(--text);overflow-wrap:anywhere}
h1,h2,h3,h4,h5,p,ul,dl,dd,pre{margin:0;padding:0;font-size:inherit;font-weight:inherit}
ul{list-style:none}
[hidden]{display:none!important}
code,pre{font-family:var(--mono);font-size:.87em}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
small{color:var(--muted);font-size:.87em;font-weight:400;white-space:nowrap}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
.aside{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.head{padding:32px 0 20px}
.top{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 24px;color:var(--muted)}
.top nav{display:flex;flex-wrap:wrap;gap:4px 18px}
h1{display:flex;flex-wrap:wrap;align-items:center;gap:8px 14px;margin:6px 0 18px;font-size:1.45rem;line-height:1.3;font-weight:600}
.word{padding:2px 12px;border-radius:6px;letter-spacing:.02em;color:var(--word);background:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:8px 32px;margin-bottom:22px}
dt{color:var(--muted);font-size:.8rem}
.facts>div,.sentence{min-width:0}
.totals{display:grid;grid-template-columns:1fr 1fr;gap:16px}
.totals>div,.topics,.card,.group{background:var(--panel);border:1px solid var(--line);border-radius:8px;margin-bottom:10px}
.totals>div{margin:0;padding:14px 16px}
.totals h2{font-weight:600;margin-bottom:8px}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;margin-top:10px;font-size:.87rem;color:var(--muted)}
.legend b{color:var(--text)}
.legend .cell{width:10px;height:10px;margin-right:6px;font-size:8px;line-height:9px;vertical-align:0}

.cell{display:inline-block;width:16px;height:16px;border-radius:3px;border:1px solid transparent;text-align:center;font:700 11px/14px var(--mono);color:var(--panel);background:var(--solid);vertical-align:top}
.cell::before{content:var(--sign)/""}
.cell:is(.skipped,.not-exercised,.untestable){background:none;border-color:var(--solid)}
.cell.untestable{background:var(--soft)}
a.cell:hover{text-decoration:none;outline:2px solid var(--text);outline-offset:1px}
.legend .cell::before,.chip .cell::before{content:none}
.toolbar{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;align-items:center;gap:8px 18px;margin:0 -20px;padding:10px 20px 12px;background:var(--ground);border-bottom:1px solid var(--line)}
.search{flex:1 1 60%}
.search input{width:100%;font:inherit;color:inherit;background:var(--panel);border:1px solid var(--other);border-radius:6px;padding:6px 10px}
.search input::placeholder{color:var(--muted);opacity:1}
.chips{display:flex;flex-wrap:wrap;gap:6px}
.chip,.copy,#reset{font:inherit;font-size:.87rem;color:var(--text);background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:3px 9px;cursor:pointer;white-space:nowrap}
.chip:hover,.copy:hover,#reset:hover{border-color:var(--muted)}
.chip .cell{width:10px;height:10px;margin:0 6px 0 0;vertical-align:-1px}
.chip b{font-weight:400;color:var(--muted)}
.chip[aria-pressed=true]{background:var(--text);border-color:var(--text);color:var(--panel)}
.chip[aria-pressed=true] b{color:inherit}
.found{display:flex;align-items:center;gap:12px;min-height:2rem;font-size:.87rem;color:var(--muted)}
.found:has(output:empty){display:none}
section,.nothing{margin-top:36px}
section>h2{font-size:1.15rem;font-weight:600;margin-bottom:12px}
.hint,.nothing{color:var(--muted)}
.hint{font-size:.87rem;margin:-6px 0 10px}
.known{margin-top:28px}
.badge{display:inline-block;padding:0 8px;border-radius:10px;font:600 .78rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;white-space:nowrap;color:var(--word);background:var(--soft)}
.operations{border-collapse:collapse;background:var(--panel);border:1px solid var(--line);margin-bottom:10px}
.operations :is(th,td){padding:3px 14px;text-align:right;font-weight:400;border-top:1px solid var(--line)}
.operations :is(th:first-child,th:nth-child(2),td:nth-child(2)){text-align:left}
.operations :is(td,thead th){overflow-wrap:normal}
.operations td:nth-child(n+3){white-space:nowrap}
.operations thead{color:var(--muted);font-size:.8rem}
#next li{padding:2px 0}
.topics{overflow:hidden}
.group>.topics{margin:0;border-width:1px 0 0;border-radius:0 0 8px 8px}
.topic>summary{display:grid;grid-template-columns:.7em minmax(0,1fr) auto;gap:2px 12px;padding:10px 16px;align-items:baseline}
.topic>summary::before,.group>summary::before,.card>summary::before{content:"\\25b8"/"";color:var(--muted);width:.7em}
:is(.topic,.group,.card)[open]>summary::before{content:"\\25be"/""}
.topic>summary:focus-visible{outline-offset:-2px}
.topic :is(h3,h4){font-weight:600}
.topic :is(h3,h4,h5) code{font-size:.93em}
.topic .sentence,.topic>summary>.first{grid-column:2/-1}
.topic>summary>.counts{grid-area:1/3}
.first{color:var(--word)}
.cards{padding:2px 16px 12px 38px}
.cards>.to{margin-bottom:10px;font-size:.87rem}
.card{border-left:4px solid var(--solid)}
summary{cursor:pointer}
summary::marker{content:""}
summary::-webkit-details-marker{display:none}
.earlier>summary::marker{content:revert}
details.card:not([open]){content-visibility:auto;contain-intrinsic-size:auto 84px}
li.card{padding:12px 16px}
.card>summary{display:grid;grid-template-columns:.7em minmax(0,1fr);gap:2px 12px;padding:12px 16px;align-items:baseline}
.card>summary>*{grid-column:2}
.card :is(h4,h5) code{font-weight:600}
.card .summary{color:var(--muted)}
:is(.topic,.card)[open]>summary>.first{display:none}
.body{padding:0 16px 16px}
.body>*+*{margin-top:12px}
.ofcheck li{border-left:2px solid var(--line);padding-left:12px}
.problems li+li,.ofcheck li+li{margin-top:5px}
.ofcheck span{display:block}
.problems{padding:10px 14px;border-radius:6px;background:var(--soft);color:var(--word)}
.reason,.none,.why,.links{color:var(--muted)}
.exchange+.exchange,.earlier .exchange{margin-top:12px}
.sides{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:12px;margin-top:8px}
.label{font-size:.8rem;color:var(--muted);margin-bottom:4px}
pre{white-space:pre-wrap;background:var(--sunk);border:1px solid var(--line);border-radius:6px;padding:10px 12px;max-height:26em;overflow:auto}
.command{position:relative;display:flex;gap:8px;align-items:flex-start}
.command pre{flex:1;min-width:0}
.topic+.topic{border-top:1px solid var(--line)}
.cells{line-height:0}
.cells .cell{margin:0 3px 3px 0}
.group>summary{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;padding:9px 16px}
.group h3{font-weight:600;min-width:170px}
.counts{display:flex;flex-wrap:wrap;gap:0 14px;font-size:.87rem;color:var(--muted)}
.count:is(.broken,.failed,.deviating,.stale,.errored){color:var(--word)}
.count:is(.broken,.failed){font-weight:600}
.rules li,.checks li{display:grid;grid-template-columns:110px minmax(0,1fr) fit-content(28%);gap:4px 12px;padding:9px 16px;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 64px}
.checks li{grid-template-columns:150px minmax(0,1fr) auto}
.checks li>small{padding-top:2px}
.rules .badge,.checks .badge{justify-self:start;align-self:start;margin-top:2px}
.id{font-weight:600}
.rules .cells{padding-top:5px}
.why,.links,.source{font-size:.87rem}
.failing a{display:block}
.coverage{columns:24rem;column-gap:28px;padding:6px 16px 12px;border-top:1px solid var(--line);list-style:none}
.coverage li{display:flex;justify-content:space-between;gap:12px;padding:2px 0;break-inside:avoid}
.coverage small{flex:none}
#states{margin-bottom:12px}
li:target{background:var(--mark)}
.card:target,.group:target{background:var(--panel);box-shadow:0 0 0 3px var(--mark)}
@media (pointer:coarse){.rules .cell{width:24px;height:24px;line-height:22px}}
@media (max-width:760px){
body{padding:0 12px 48px}
.toolbar{position:static;margin:0 -12px;padding:10px 12px}
:root{scroll-padding-top:1rem}
.totals,.sides{grid-template-columns:minmax(0,1fr)}
.operations :is(th,td){padding:3px}
.operations small{display:none}
.rules .cells{padding-top:0}
.group>summary{padding:9px 12px}
.group h3{min-width:0}
.rules li,.checks li{grid-template-columns:minmax(0,1fr);padding:9px 12px}
.topic>summary,.card>summary{padding:10px 12px;gap:2px 8px}
.topic>summary>.counts{grid-area:auto/2}
.cards{padding:2px 8px 8px}
.command{flex-wrap:wrap;justify-content:flex-end;gap:6px}
.command pre{flex-basis:100%}
.body{padding:0 12px 12px}
small{white-space:normal}
}
@media (forced-colors:active){.cell{border-color:CanvasText;color:CanvasText;forced-color-adjust:auto}.badge{border:1px solid}}
@media print{
:root{color-scheme:light;--ground:#fff;font-size:11px}
body{max-width:none;padding:0}
.toolbar,#states,.copy,.again{display:none!important}
.cell,.badge,.problems,.word{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.card,.rules li,.checks li{break-inside:avoid}
details.card:not([open]),.rules li,.checks li{content-visibility:visible}
pre{max-height:none;overflow:visible}
}
`;
