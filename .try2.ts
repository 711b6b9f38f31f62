import { loadOpenApi } from "./src/contract/rest/load-openapi.js";
import { sampleDocument } from "./src/mock/rest/sample-document.js";
import { listOperations } from "./src/contract/rest/operations.js";
import { createSchemaCheck } from "./src/mock/rest/schema-check.js";
const d=await loadOpenApi(process.argv[2]!);
const op=listOperations(d).find(o=>o.path===process.argv[3]&&o.method===process.argv[4])!;
let t=performance.now();const lap=(s:string)=>{console.log(Math.round(process.cpuUsage().user/1000),"cpu",Math.round(performance.now()-t),"ms",s);t=performance.now()};
const s=sampleDocument(d,op);lap("sample "+JSON.stringify(s).length+" "+Object.keys((s as any).components.schemas).length);
const {getHttpOperationsFromSpec,createInstance}=await import("@stoplight/prism-http");lap("import");
const ops=await getHttpOperationsFromSpec(s);lap("read "+JSON.stringify(ops).length);
const silent:any={child:()=>silent};for(const l of["trace","debug","info","success","warn","error","fatal"])silent[l]=()=>{};
const c={isProxy:false,checkSecurity:false,validateRequest:false,validateResponse:false,errors:false,upstreamProxy:undefined} as const;
const p=createInstance({...c,mock:{dynamic:false}} as any,{logger:silent});
const chk=createSchemaCheck(d,"response");
for(const m of [{dynamic:false},{dynamic:true,seed:"1",ignoreExamples:true},{dynamic:true,seed:"2",ignoreExamples:true}]){
 const a:any=await p.request({method:op.method as any,url:{path:"/"}},ops,{...c,mock:m as any})();lap("request "+JSON.stringify(m)+a._tag+JSON.stringify(a.right?.output?.body??a.left?.message).length);
 const e=chk(`/components/responses/GetFileResponse/content/application~1json/schema`,a.right?.output?.body);lap("check "+JSON.stringify(e)+" cpu "+Math.round(process.cpuUsage().user/1000));if(!m.dynamic)console.log(JSON.stringify(a.right.output.body.document.children[0].children[0]).replace(/.*"type":"([A-Z]+)".*/,"$1").slice(0,900), Object.entries(a.right.output.body.document.children[0].children[0]).map(([k,v])=>k+":"+JSON.stringify(v).slice(0,50)).join(" "));}
