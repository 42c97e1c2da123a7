var $t=["exchange","currency","plain"];var zu=e=>e+1;var V=class extends Error{name="SeriesError";code;index;#t;constructor(t,r,n=null){const o=typeof r==="str\
ing"?()=>r:r;super(o(zu));this.code=t;this.index=n;this.#t=o}formatMessage(t){return this.#t(t)}};var la=1e3;var se=60*la;var ie=60*se;var _=24*ie;var Ae=Date.UTC(1800,0,1);var Se=Date.UTC(2201,0,1)-1;function $(e){const t=new Date(
e);return Number.isNaN(t.getTime())?String(e):t.toISOString()}var hn=1e15;function $e(e,t){let r=Number.NEGATIVE_INFINITY;for(let n=0;n<e.length;n++){const o=e[n]??Number.NaN;const a=(s,i)=>new V(
s,l=>{const u=typeof i==="string"?i:i(l);return`Row ${l(n)} (${$(o)}) ${u}.`},n);if(!Number.isFinite(o))throw a("NON_FIN\
ITE","has no timestamp");if(o<t.earliest||o>t.latest){const s=`${$(t.earliest)} to ${$(t.latest)}`;throw a("OUT_OF_RANGE",
`is outside the dates served, ${s}`)}if(o===r){throw a("DUPLICATE",s=>`repeats the timestamp of row ${s(n-1)}`)}if(o<r)throw a(
"UNSORTED","is earlier than the row before it");r=o}}function ua(e){for(let t=0;t<e.length;t++){const r=e[t]??Number.NaN;
if(!Number.isFinite(r)){throw new V("NON_FINITE",n=>`Row ${n(t)} has no finite value.`,t)}if(Math.abs(r)>hn){throw new V(
"OUT_OF_RANGE",n=>`Row ${n(t)} has a value beyond ${hn} either way.`,t)}}}function Yt(e,t){for(let r=0;r<e.length;r++){const n=e[r]??
Number.NaN;if(t.contains(n))continue;throw new V("MISALIGNED",o=>`Row ${o(r)} (${$(n)}) is not ${t.rule}.`,r)}}var le=0;var pt=1;var ma=3;var bn=4;var ca=5;var ht=6;function O(e,t,r){return Date.UTC(e,t-1,r)}function ee(e){return((e/_+bn)%7+7)%7}function ue(e,t,r,n){
if(n===-1){const a=O(e,t+1,0);return a-(ee(a)-r+7)%7*_}const o=O(e,t,1);return o+((r-ee(o)+7)%7+(n-1)*7)*_}var yn=-5*ie;var pa=-4*ie;var da=1987;var fa=new Map;function Ju(e){const t=fa.get(e)??Zu(e);fa.set(e,t);return t}function Zu(e){
const[t,r]=e<2007?[ue(e,4,le,1),ue(e,10,le,-1)]:[ue(e,3,le,2),ue(e,11,le,1)];return{from:t+2*ie-yn,to:r+2*ie-pa}}function ha(e){
const t=new Date(e).getUTCFullYear();if(!(t>=da))throw new RangeError(`New York time is known from ${da}, not ${$(e)}.`);
const{from:r,to:n}=Ju(t);return e>=r&&e<n?pa:yn}function Me(e){return Math.floor((e+ha(e))/_)*_}function Ne(e,t){const r=e+t*se;return r-ha(r-yn)}var ba=7*_;var em=17*60;var ya=Date.UTC(1987,0,3);function ga(e){return Math.floor((e-ya)/ba)}function Aa(e){const t=ya+
e*ba;const r=e<0?t+2*_:Ne(t+_,em);return{open:r,close:r+5*_}}function Ht(e){const t=l=>{const{open:u,close:m}=Aa(l);return{number:l,first:Math.floor(u/e)*e,last:Math.floor((m-1)/e)*
e}};let r=t(0);const n=l=>{const u=ga(l);if(r.number!==u)r=t(u);return r};const o=l=>{const{first:u,last:m}=t(l);return(m-
u)/e+1};const[a,s]=[o(-1),o(0)];const i=l=>{const{number:u,first:m}=n(l);return u*(u<0?a:s)+(l-m)/e};return{rule:e===_?"\
a day on which currencies trade, at 00:00 UTC":"the start of a period in which currencies trade, Sunday 17:00 to Friday \
17:00 in New York",earliest:Ae,latest:Se,contains(l){if(l%e!==0)return false;const{first:u,last:m}=n(l);return l>=u&&l<=
m},next(l){const{number:u,last:m}=n(l);const d=l<m?l+e:t(u+1).first;if(d>Se)throw new RangeError(`${$(d)} is after the y\
ear 2200.`);return d},steps:(l,u)=>i(u)-i(l)}}function gn(e){if(ee(e)===ht)return e-_;return ee(e)===le?e+_:e}function tm(e){const t=O(e,1,1);return ee(t)===le?t+_:t}
function An(e){return ue(e,11,bn,4)}function Sa(e){const t=[tm(e),ue(e,2,pt,3),rm(e)-2*_,ue(e,5,pt,-1),gn(O(e,7,4)),ue(e,
9,pt,1),An(e),gn(O(e,12,25))];if(e>=1998)t.push(ue(e,1,pt,3));if(e>=2022)t.push(gn(O(e,6,19)));return new Set(t)}function rm(e){
const t=e%19;const r=Math.floor(e/100);const n=e%100;const o=Math.floor((r-Math.floor((r+8)/25)+1)/3);const a=(19*t+r-Math.
floor(r/4)-o+15)%30;const s=(32+2*(r%4)+2*Math.floor(n/4)-a-n%4)%7;const i=Math.floor((t+11*a+22*s)/451);const l=a+s-7*i+
114;return O(e,Math.floor(l/31),l%31+1)}function nm(e){return(e<1993?14:13)*60}function om(e,t){if(t<1995)return false;if(e===O(t,7,5))return ee(e)===ca&&t<2013;
return e===O(t,7,3)&&(ee(e)!==ma||t>=2013)}function Fa(e){const t=new Date(e).getUTCFullYear();const r=e===O(t,12,24)||e===
An(t)+_&&t>=1992||om(e,t);return r?nm(t):null}var wa=new Set([O(1994,4,27),O(2001,9,11),O(2001,9,12),O(2001,9,13),O(2001,9,14),O(2004,6,11),O(2007,1,2),O(2012,10,29),
O(2012,10,30),O(2018,12,5),O(2025,1,9)]);var Ma=new Map([[O(1990,12,27),{open:11*60}],[O(1994,2,11),{close:14*60+30}],[O(
1995,12,18),{open:10*60+30}],[O(1996,1,8),{open:11*60,close:14*60}],[O(1997,10,27),{close:15*60+30}],[O(1997,12,26),{close:13*
60}],[O(1999,12,31),{close:13*60}],[O(2002,9,11),{open:12*60}],[O(2003,12,26),{close:13*60}]]);var Qt=1990;var Bt=2200;var pe=O(Qt,1,1);var Ee=O(Bt,12,31);var Na;function jt(){Na??=am();return Na}function am(){const e=[];
const t=[];for(let r=Qt;r<=Bt;r++){const n=Sa(r);const o=O(r+1,1,1);for(let a=O(r,1,1);a<o;a+=_){const s=ee(a);t.push(e.
length);const i=s===ht||s===le||n.has(a)||wa.has(a);if(!i)e.push(a)}}return{dates:Float64Array.from(e),ranks:Int32Array.
from(t)}}function Ye(e){if(e%_!==0)throw new RangeError(`A session date is 00:00 UTC, not ${$(e)}.`);if(!(e>=pe&&e<=Ee)){
throw new RangeError(`Exchange sessions are known from ${Qt} to ${Bt}, not ${$(e)}.`)}return jt().ranks[(e-pe)/_]}function sm(e){
const t=jt().dates[e];if(t===void 0)throw new RangeError(`No exchange session is known before ${Qt} or after ${Bt}.`);return t}
function me(e){return jt().dates[Ye(e)]===e}function Xt(e){return sm(Ye(e)+(me(e)?1:0))}function Sn(e,t){return jt().dates.slice(Ye(e),Ye(t)+(me(t)?1:0))}function Fn(e,t){return Ye(t)-Ye(e)}var im=9*60+30;var lm=16*60;var um=4*60;var mm=4*60;function bt(e,t="regular"){if(!me(e))throw new RangeError(`${$(e)} i\
s not an exchange session.`);const r=Ma.get(e);const n=r?.close??Fa(e)??lm;if(t==="extended"){return{open:Ne(e,um),close:Ne(
e,n+mm)}}return{open:Ne(e,r?.open??im),close:Ne(e,n)}}function Ea(e,t){const r=i=>Math.floor(i/e)*e;let n={day:Number.NaN,first:Number.NaN,last:Number.NaN};const o=i=>{if(n.day!==
i){const{open:l,close:u}=bt(i,t);n={day:i,first:r(l),last:r(u-1)}}return n};const a=i=>{const{first:l,last:u}=o(i);return(u-
l)/e+1};const s=i=>(i-o(Me(i)).first)/e;return{rule:`the start of a period within the ${t} hours of an exchange session`,
earliest:pe+_,latest:Ee-_,contains(i){const l=Me(i);if(i%e!==0||!me(l))return false;const{first:u,last:m}=o(l);return i>=
u&&i<=m},next(i){const l=Me(i);return i<o(l).last?i+e:o(Xt(l)).first},steps(i,l){const[u,m]=[Me(i),Me(l)];let d=s(l)-s(i);
for(const c of Sn(u,m))if(c!==m)d+=a(c);return d}}}var _a={rule:"the date of an exchange session at 00:00 UTC",earliest:pe,
latest:Ee,contains:e=>e%_===0&&me(e),next:Xt,steps:Fn};var cm=-3*_;var Mn={"1min":{step:se,origin:0},"5min":{step:5*se,origin:0},"15min":{step:15*se,origin:0},"30min":{step:30*
se,origin:0},"1h":{step:ie,origin:0},"4h":{step:4*ie,origin:0},"1D":{step:_,origin:0},"1W-MON":{step:7*_,origin:cm},"1MS":{
months:1},"1ME":{months:1},"1QE":{months:3},"1YE":{months:12}};function Kt(e,t){if(!(t>=Ae&&t<=Se)){throw new RangeError(
`${$(t)} is outside the years 1800 to 2200.`)}const r=Mn[e];if("step"in r)return Math.floor((t-r.origin)/r.step);const n=new Date(
t);const o=(n.getUTCFullYear()-1970)*12+n.getUTCMonth();return Math.floor(o/r.months)}function xa(e,t){const r=Mn[e];return"\
step"in r?r.origin+t*r.step:Date.UTC(1970,t*r.months)}function zt(e,t){return xa(e,Kt(e,t))}function Te(e,t){return xa(e,
Kt(e,t)+1)}function Jt(e,t,r){return Kt(e,r)-Kt(e,t)}function Pe(e,t){const r=e==="1ME"||e==="1QE"||e==="1YE";return r?Te(e,t)-_:zt(
e,t)}function Oe(e){const t=Mn[e];return"step"in t?t.step:null}function He(e){const t=Oe(e);return t!==null&&t<_?t:null}var dm={"1min":"a full minute","5min":"a full five minutes of the hour","15min":"a full quarter of an hour","30min":"a f\
ull half hour","1h":"a full hour in UTC","4h":"00:00, 04:00, 08:00, 12:00, 16:00 or 20:00 UTC","1D":"00:00 UTC","1W-MON":"\
a Monday at 00:00 UTC","1MS":"the first day of a month at 00:00 UTC","1ME":"the last day of a month at 00:00 UTC","1QE":"\
the last day of a calendar quarter at 00:00 UTC","1YE":"31 December at 00:00 UTC"};function Zt(e){return{rule:dm[e],earliest:Ae,
latest:Se,contains:t=>Pe(e,t)===t,next:t=>Pe(e,Te(e,t)),steps:(t,r)=>Jt(e,t,r)}}function he({frequency:e,kind:t,hours:r}){if(t==="plain")return Zt(e);if(t==="currency")return fm(e);if(e==="1D")return _a;
const n=He(e);return n===null||r===void 0?Zt(e):Ea(n,r)}function fm(e){const t=Oe(e);return t!==null&&t<=_?Ht(t):Zt(e)}var yt=["1min","5min","15min","30min","1h","4h","1D","1W-MON","1MS"];var ve=[...yt,"1ME","1QE","1YE"];function Nn(e){return ve.includes(e)}var pm={"1min":"1Min","5min":"5Min","15min":"15Min",
"30min":"30Min","1h":"1Hour","4h":"4Hour","1D":"1Day","1W-MON":"1Week","1MS":"1Month"};var En=yt.map(e=>Object.freeze({frequency:e,
timeframe:pm[e],bucket_timezone:"UTC",calendar_period:e==="1W-MON"?"week":e==="1MS"?"month":null,...e==="1W-MON"?{week_start:"\
Monday"}:{},completed_bars_only:true,missing_intervals:"not_filled"}));var Ia=5e4;function gt(e,t,r,n=Ia){if(t.length!==r.length){const a=`${t.length} timestamps and ${r.length} values`;throw new V(
"LENGTH_MISMATCH",`The rows have ${a}; each row needs one of each.`)}const o=he(e);$e(t,o);ua(r);Yt(t,o);return ym(o,t,r,
n)}function ym(e,t,r,n){const[o,a]=[t[0],t[t.length-1]];if(o===void 0||a===void 0)throw new V("EMPTY","The series has no\
 rows.");const s=e.steps(o,a)+1;const i=s-t.length;if(i>n){throw new V("TOO_MANY_GAPS",`${i} periods between the rows ar\
e missing; at most ${n} may be missing.`)}const l=new Float64Array(s);const u=new Float64Array(s).fill(Number.NaN);let m=0;
for(let d=0,c=o;d<s;d++){if(d>0)c=e.next(c);l[d]=c;if(t[m]===c)u[d]=r[m++]??Number.NaN}return{times:l,values:u}}var _n=1e4;function ke(e,t,r){if(!Number.isInteger(r)||r<1||r>_n){throw new RangeError(`A horizon is a whole number from\
 1 to ${_n}, not ${r}.`)}const n=he(e);$e([t],n);Yt([t],n);const o=new Float64Array(r);let a=t;for(let s=0;s<r;s++){a=n.
next(a);o[s]=a}return o}var Sm=[["1m","1min"],["5m","5min"],["15m","15min"],["30m","30min"],["1w","1W-MON"]];var Fm=new Map([...yt.map(e=>[e,e]),
...En.map(({timeframe:e,frequency:t})=>[e,t]),...Sm]);var wm=[...Fm.keys()];var Qg=Ht(_);var I=class extends Error{name="ModelError";code;constructor(t,r){super(r);this.code=t}};function D(e){if(e?.aborted)throw new I(
"ABORTED","The fit was aborted.")}function Y(e,t={type:"requested"}){for(const r of e){if(!(r>0&&r<1)){throw new I("UNSU\
PPORTED_QUANTILE",`A quantile lies between 0 and 1, got ${r}.`)}if("min"in t&&(r<t.min||r>t.max)){throw new I("UNSUPPORT\
ED_QUANTILE",`The model gives quantiles from ${t.min} to ${t.max}, got ${r}.`)}}}function j(e){return(t,r)=>{Y(r);return Array.
from({length:t},()=>new Float64Array(r.length).fill(e))}}var xn=new Float64Array(1);function T(){return xn[0]}function q(e,t){const r=e+t;const n=r-e;xn[0]=e-(r-n)+(t-n);return r}
var er=134217729;function Ce(e,t){const r=e*t;const n=er*e-(er*e-e);const o=er*t-(er*t-t);const a=e-n;const s=t-o;xn[0]=
n*o-r+n*s+a*o+a*s;return r}function At(e,t,r,n){const o=e/r;const a=Ce(o,r);return q(o,(e-a-T()+t-o*n)/r)}function Qe(e,t,r,n=1){
const o=new Float64Array(r);let a=1;let s=1;for(let i=0,l=1;i<r;l++){a*=l;if(l<e||(l-e)%t!==0)continue;o[i++]=s/a;s*=n}return o}
function _e(e,t){let r=0;for(let n=e.length-1;n>=0;n--)r=r*t+e[n];return r}var St=new Float64Array(2046).fill(22250738585072014e-324);for(let e=1;e<St.length;e++)St[e]=2*St[e-1];function Le(e,t){
if(t>1023)return Le(e,1023)*St[t-1];if(t<-1022)return Le(Le(e,-900),t+900);return e*St[t+1022]}var Tn=.6931471805598903;
var Pn=5497923018708371e-29;var Mm=Qe(2,1,12);var Q=0;function On(e,t){Q=Math.round(e*Math.LOG2E);const r=q(e-Q*Tn,t-Q*Pn);
const n=T();const o=q(r,r*r*_e(Mm,r));return q(o,T()+n*(1+o))}function v(e){return Rn(e,0)}function Rn(e,t){if(!(e<710))
return e*Infinity;if(e<-746)return 0;const r=On(e,t);const n=T();return Le(q(1,r)+(T()+n),Q)}function ka(e){if(e===0)return e;
if(!(e<40))return v(e);return e<-40?-1:Nm(e)+T()}function Nm(e){const t=On(e,0);const r=T();const n=Le(1,Q);const o=q(n,
n*t);const a=T()+n*r;return q(q(o,-1),T()+a)}var Em=Qe(3,2,9);function Ca(e){const t=Math.abs(e);if(t<1)return e+e*(e*e)*
_e(Em,e*e);if(!(t<711))return e*Infinity;const r=On(t,0);const n=T();const o=q(1,r);const a=T()+n;const s=t<40?Le(1/o,-2*
Q):0;const i=q(o,-s);return Math.sign(e)*Le(i+(T()+a),Q-1)}var In=new Float64Array(1);var Pa=new Uint32Array(In.buffer);var Oa=new Uint8Array(new Uint32Array([1]).buffer)[0]===1?1:
0;function Be(e){if(e<22250738585072014e-324){const n=Be(e*0x40000000000000);Q-=54;return n}In[0]=e;const t=Pa[Oa];Q=(t>>>
20)-1023;Pa[Oa]=t&1048575|1072693248;const r=In[0];if(r<Math.SQRT2)return r;Q+=1;return r/2}var _m=Float64Array.from({length:11},
(e,t)=>2/(2*t+3));function tr(e,t,r){const n=e/(2+e);const o=n*n;const a=e*e/2;const s=n*(a+o*_e(_m,o));return t*Tn-(a-(s+
(t*Pn+r))-e)}function N(e){if(!(e>0&&e<Infinity))return e===0?-Infinity:e>0?e:NaN;const t=Be(e);return tr(t-1,Q,0)}function je(e){
if(e===0||e===Infinity)return e;return e>-1?La(e,0):e===-1?-Infinity:NaN}function La(e,t){if(e>-.29&&e<.41)return tr(e,0,
t/(1+e));const r=q(1,e);const n=T()+t;const o=Be(r);return tr(o-1,Q,n/r)}function vn(e){const t=Math.abs(e);if(!(t>1e-9&&
t<Infinity))return e;return Math.sign(e)*(t>1?Rm(t):xm(t))}function xm(e){const t=e*e;const r=q(e,t/(1+Math.sqrt(1+t)));
return La(r,T())}function Rm(e){const t=e<1e9?1/(e+Math.sqrt(e*e+1)):0;const r=q(e,t/2);const n=T();const o=Be(r);return tr(
o-1,Q+1,n/r)}var va=1/3;var Im=1850371707708594e-32;var Tm=Float64Array.from({length:10},(e,t)=>1/(2*t+5));function Da(e){
const t=Be(e);const r=q(1,t);const n=At(t-1,0,r,T());const o=T();const a=Ce(n,n);const s=T()+2*n*o;const i=Ce(a,va);const l=T()+
a*Im+s*va;const u=q(i,a*a*_e(Tm,a));const m=T()+l;const d=Ce(2*n,u);const c=T()+2*(n*m+o*(1+u));const f=q(2*n,d);const p=T()+
c;const h=q(Q*Tn,f);const b=T()+p;const y=q(h,Q*Pn);return q(y,T()+b)}var Pm=20355273740931033e-33;function kn(e){if(!(e>
0&&e<Infinity))return N(e);if(Be(e)===1)return Q;const t=Da(e);const r=T();const n=Ce(t,Math.LOG2E);return n+(T()+r*Math.
LOG2E+t*Pm)}function R(e,t){if(t===0||e===1)return 1;if(!(e>=0)||Number.isNaN(t))return NaN;if(e===0||e===Infinity)return e>
0===t>0?Infinity:0;const r=Da(e);const n=T();if(!(Math.abs(r*t)<800))return Rn(r*t,0);const o=Ce(r,t);return Rn(o,T()+n*
t)}var Om=.4;var vm=8;var km=.5;var Cm=2.5;function Xe(e,t){const r=R(.5,1/Math.max(2*t,vm));let n=0;let o=0;let a=0;let s=0;
let i=1;for(let u=e.length-1;u>=0;u--){const m=e[u]**2;if(Number.isNaN(m))continue;n+=i*m;o+=i;a+=m;s++;i*=r}const l=a>0?
n/o/(a/s):1;return Cn(R(l,Om/2))}function Cn(e){return Math.max(km,Math.min(Cm,e))}function Ke(e,t,r){const n=new Float64Array(
e.length);const o=new Float64Array(e.length);for(let a=0;a<e.length;a++){const s=e[a];const i=s>0?Math.max(-1,Math.min(1,
t*(a+1)/s)):0;n[a]=s*(1+r*i);o[a]=s*(1-r*i)}return{above:n,below:o}}function rr(e){let t=0;let r=0;let n=0;let o=0;let a=0;
for(let s=0;s<e.length;s++){const i=e[s];if(Number.isNaN(i))continue;t++;const l=s-r;r+=l/t;n+=(i-n)/t;o+=l*(s-r);a+=l*(i-
n)}return o>0?a/o:0}function Ln(e){return{sum:new Float64Array(e),count:new Float64Array(e)}}var qa=1e3;var Wa=100;function Ua(e,t,r){
const n=new Float64Array(t.length).fill(1);const o=e.sum[0]/e.count[0];let a=1;for(let s=0;s<t.length;s++){const i=e.count[s]??
0;const l=t[s];if(i>=3&&o>0&&l>0){const u=e.sum[s]/i/o/l;const m=i/(s+1);a=v(2*N(Math.max(.001,u))*m/(m+1))}n[s]=Math.min(
r,Math.max(1,a))}return n}var Va=1e-5;function Lm(e,t,r,n,o){const a=e.residuals;for(let s=0;s<e.parameters;s++){const i=t[s];const l=i>0?-Va:Va;t[s]=
i+l;const u=e.evaluate(t,n);t[s]=i;if(!Number.isFinite(u))return false;const m=s*a;for(let d=0;d<a;d++)o[m+d]=(n[d]-r[d])/
l}return true}function Dm(e,t,r,n,o,a){for(let s=0;s<n;s++){const i=s*r;let l=0;for(let u=0;u<r;u++)l+=e[i+u]*t[u];a[s]=
l;for(let u=0;u<=s;u++){const m=u*r;let d=0;for(let c=0;c<r;c++)d+=e[i+c]*e[m+c];o[s*n+u]=d;o[u*n+s]=d}}}var Ga=1.5;var qm=8;
function ze(e,t,r){const n=e.parameters;const o=e.residuals;let a=Float64Array.from(t);let s=new Float64Array(o);let i=e.
evaluate(a,s);const l=new Float64Array(n*n);if(n===0||!Number.isFinite(i))return{at:a,value:i,curvature:l};const u=new Float64Array(
o*n);const m=new Float64Array(n);const d=new Float64Array(n*n);const c=new Float64Array(n);let f=new Float64Array(n);let p=new Float64Array(
o);let h=.001;for(let b=0;b<r.maxIterations;b++){if(!Lm(e,a,s,p,u))break;Dm(u,s,o,n,l,m);let y=false;let g=false;for(let F=0;F<
qm&&!y;F++){if(!Wm(l,m,h,d,c)){h=Math.max(h*10,1e-6);continue}const S=Um(c);let A=0;for(let M=0;M<n;M++){f[M]=a[M]+S*c[M];
A-=m[M]*c[M]*S}if(A<r.tolerance*i){g=true;break}const w=e.evaluate(f,p);if(w<i){g=i-w<r.tolerance*i;h=i-w>.5*A?h*.1:h*2;
i=w;[a,f]=[f,a];[s,p]=[p,s];y=true}else{h=Math.max(h*8,.001)}}if(!y||g)break}return{at:a,value:i,curvature:l}}function Wm(e,t,r,n,o){
const a=o.length;n.set(e);let s=0;for(let i=0;i<a;i++)s=Math.max(s,e[i*a+i]);for(let i=0;i<a;i++){const l=e[i*a+i];n[i*a+
i]=l*(1+r)+s*1e-9+1e-300}for(let i=0;i<a;i++)o[i]=-t[i];return Ft(n,o,a)}function Um(e){let t=0;for(let r=0;r<e.length;r++)
t=Math.max(t,Math.abs(e[r]));return t>Ga?Ga/t:1}function Ft(e,t,r){for(let n=0;n<r;n++){for(let o=0;o<=n;o++){let a=e[n*
r+o];for(let s=0;s<o;s++)a-=e[n*r+s]*e[o*r+s];if(n===o){if(!(a>0))return false;e[n*r+n]=Math.sqrt(a)}else{e[n*r+o]=a/e[o*
r+o]}}}for(let n=0;n<r;n++){let o=t[n];for(let a=0;a<n;a++)o-=e[n*r+a]*t[a];t[n]=o/e[n*r+n]}for(let n=r-1;n>=0;n--){let o=t[n];
for(let a=n+1;a<r;a++)o-=e[a*r+n]*t[a];t[n]=o/e[n*r+n]}return true}function Ze(e){return{ar:new Float64Array(e.p+e.P*e.season),ma:new Float64Array(e.q+e.Q*e.season),arLags:$a(e.p,e.P,e.season),
maLags:$a(e.q,e.Q,e.season)}}function $a(e,t,r){const n=new Set;for(let o=0;o<=t;o++)for(let a=0;a<=e;a++)n.add(o*r+a);n.
delete(0);return Int32Array.from(n).sort()}var Ya=60;function wt(e,t,r,n){const o=Vm;for(let a=0;a<r;a++){const s=Math.max(
-Ya,Math.min(Ya,e[t+a]));const i=s/Math.sqrt(1+s*s);n[a]=i;for(let l=0;l<a;l++)n[l]=o[l]-i*o[a-1-l];for(let l=0;l<=a;l++)
o[l]=n[l]}}var Vm=new Float64Array(16);var Je=new Float64Array(16);var Dn=new Float64Array(16);function et(e,t,r){wt(t,0,
e.p,Je);wt(t,e.p+e.q,e.P,Dn);Ha(e.p,e.P,e.season,r.ar);wt(t,e.p,e.q,Je);wt(t,e.p+e.q+e.P,e.Q,Dn);Ha(e.q,e.Q,e.season,r.ma);
for(let n=0;n<r.ma.length;n++)r.ma[n]=-r.ma[n]}function Ha(e,t,r,n){n.fill(0);for(let o=0;o<e;o++)n[o]=Je[o];for(let o=0;o<
t;o++){const a=Dn[o];const s=(o+1)*r;n[s-1]=n[s-1]+a;for(let i=0;i<e;i++){n[s+i]=n[s+i]-a*Je[i]}}}function or(e,t){const r=Qa;
const n=R(Qa,Math.min(e.season,12));const{p:o,q:a,P:s,Q:i}=e;return nr(t,0,o,r)&&nr(t,o,a,r)&&nr(t,o+a,s,n)&&nr(t,o+a+s,
i,n)}var Qa=1.01;function nr(e,t,r,n){if(r===0)return true;wt(e,t,r,Je);const o=Je.slice(0,r);let a=1;for(let i=0;i<r;i++){
a*=n;o[i]=o[i]*a}const s=new Float64Array(r);for(let i=r-1;i>=0;i--){const l=o[i];if(!(Math.abs(l)<1))return false;for(let u=0;u<
i;u++){s[u]=(o[u]+l*o[i-1-u])/(1-l*l)}o.set(s.subarray(0,i))}return true}function te(e){return e.p+e.q+e.P+e.Q}function Mt(e){return e.d+e.D*e.season}function ja(e,t){return e.p===t.p&&e.q===t.
q&&e.P===t.P&&e.Q===t.Q&&e.constant===t.constant}function ar(e,t){const r=new Float64Array(Math.max(0,e.length-t));for(let n=0;n<
r.length;n++)r[n]=e[n+t]-e[n];return r}function qn(e,t,r,n){let o=e;for(let a=0;a<r;a++)o=ar(o,n);for(let a=0;a<t;a++)o=
ar(o,1);return o}function Nt(e,t,r){let n=Float64Array.of(1);for(let o=0;o<e;o++)n=Ba(n,1);for(let o=0;o<t;o++)n=Ba(n,r);
return n.subarray(1).map(o=>-o)}function Ba(e,t){const r=new Float64Array(e.length+t);r.set(e);for(let n=0;n<e.length;n++)
r[n+t]=r[n+t]-e[n];return r}function De(e){const t=e[0]??0;let r=0;for(const n of e)r+=Math.abs(n-t);return r<=15e-9*Math.
abs(t)*e.length||r===0}var sr=class{parameters;residuals;#t;#r;#e;#n;#o;constructor(t,r){this.#t=r;this.#r=t;this.#e=Ze(r);this.parameters=te(r);
this.residuals=Math.max(0,t.length-this.#e.ar.length);this.#n=new Float64Array(t.length);this.#o=new Float64Array(t.length)}evaluate(t,r){
et(this.#t,t,this.#e);const n=this.#n;const o=this.#o;const a=this.#t.constant;const s=this.#e.ar.length;Wn(this.#e,this.#r,
a,s,s,n,o);const i=a?this.#a(s):0;let l=0;for(let u=s;u<n.length;u++){const m=n[u]-i*o[u];r[u-s]=m;l+=m*m}return l}#a(t){
const r=this.#n;const n=this.#o;let o=0;let a=0;for(let s=t;s<r.length;s++){o+=r[s]*n[s];a+=n[s]*n[s]}return a>0?o/a:0}};
function Wn({ar:e,ma:t,arLags:r,maLags:n},o,a,s,i,l,u){let m=1;for(let d=0;d<r.length;d++)m-=e[r[d]-1];for(let d=s;d<o.length;d++){
let c=o[d];for(let p=0;p<r.length;p++){const h=r[p];c-=e[h-1]*o[d-h]}let f=m;for(let p=0;p<n.length;p++){const h=n[p];if(d-
h<i)break;const b=t[h-1];c-=b*l[d-h];if(a)f-=b*u[d-h]}l[d]=c;u[d]=f}}function Un(e,t,r,n){const o=Float64Array.from(r.state);const{ar:a}=r.polynomials;const s=o.length-1;const i=Mt(t);const l=Nt(
t.d,t.D,t.season);const u=new Float64Array(i+n);u.set(e.subarray(e.length-i));for(let m=0;m<n;m++){const d=o[0];let c=d+
r.mean;for(let f=0;f<i;f++){const p=l[f];if(p!==0)c+=p*u[i+m-1-f]}u[i+m]=c;for(let f=0;f<s;f++)o[f]=(f<a.length?a[f]*d:0)+
o[f+1]}return u.slice(i)}function Xa(e,{ar:t,ma:r,arLags:n},o){const a=Nt(e.d,e.D,e.season);const s=new Float64Array(o);
const i=new Float64Array(o);for(let l=0;l<o;l++){let u=l===0?1:l<=r.length?r[l-1]:0;for(const m of n){if(m>l)break;u+=t[m-
1]*s[l-m]}s[l]=u;for(let m=0;m<a.length&&m<l;m++){const d=a[m];if(d!==0)u+=d*i[l-1-m]}i[l]=u}return i}function Ka(e,t,r){
const n=new Float64Array(Mt(e));return Un(n,e,{...t,state:t.state.map(o=>-o),mean:1},r)}var tt=class{variance=0;gain;#t;#r;#e;#n;#o;#a;constructor(t,r){this.#t=t;this.#r=r;this.gain=new Float64Array(Math.max(
t,r+1));this.#e=new Vn(t,t+r);this.#n=new Float64Array(t+1);this.#o=new Float64Array(r+1);this.#a=new Float64Array(r+1)}compute(t){
if(!this.#e.compute(t))return false;this.#s(t);this.#i(t);const{ar:r,ma:n,arLags:o,maLags:a}=t;const s=this.gain;s.fill(
0);for(let i=0;i<o.length;i++){const l=o[i];const u=r[l-1];for(let m=0;m<l;m++){s[m]=s[m]+u*this.#n[l-1-m]}}for(let i=0;i<
a.length;i++){const l=a[i];const u=n[l-1];for(let m=0;m<l;m++)s[m]=s[m]+u*this.#a[l-1-m]}return Number.isFinite(this.variance)}#s({
ma:t}){const r=this.#r;const n=this.#o;for(let a=0;a<=r;a++){let s=a===0?1:t[a-1];for(let i=0;i+a<r;i++)s+=t[i]*t[i+a];n[a]=
s}const o=this.#e.values;for(let a=0;a<=this.#t;a++){let s=n[0]*o[a];for(let i=1;i<=r;i++){const l=n[i];if(l!==0)s+=l*(o[a+
i]+o[Math.abs(a-i)])}this.#n[a]=s}this.variance=this.#n[0]}#i({ar:t,ma:r,arLags:n}){const o=this.#a;o[0]=1;for(let a=1;a<=
this.#r;a++){let s=r[a-1];for(let i=0;i<n.length;i++){const l=n[i];if(l>a)break;s+=t[l-1]*o[a-l]}o[a]=s}}};var Vn=class{values;#t;#r;#e;constructor(t,r){
this.#t=t;this.values=new Float64Array(r+1);this.#r=new Float64Array(t*(t+1)/2);this.#e=new Float64Array(t)}compute({ar:t,
arLags:r}){const n=this.#n(t);if(!(n>0))return false;const o=this.values;const a=this.#t;const s=this.#r;let i=1/n;o[0]=
i;for(let l=1;l<=a;l++){const u=this.#e[l-1];let m=u*i;const d=(l-1)*(l-2)/2;for(let c=1;c<l;c++)m+=s[d+c-1]*o[l-c];o[l]=
m;i*=1-u*u}for(let l=a+1;l<o.length;l++){let u=0;for(let m=0;m<r.length;m++){const d=r[m];u+=t[d-1]*o[l-d]}o[l]=u}return true}#n(t){
const r=this.#t;const n=this.#r;let o=r*(r-1)/2;for(let s=0;s<r;s++)n[o+s]=t[s];let a=1;for(let s=r;s>=1;s--){const i=n[o+
s-1];const l=1-i*i;if(!(l>0))return 0;this.#e[s-1]=i;a*=l;const u=o-(s-1);for(let m=0;m<s-1;m++){n[u+m]=(n[o+m]+i*n[o+s-
2-m])/l}o=u}return a}};var Gm=1e-8;var ir=class{errors;errorsOfOne;variances;state;ofOne;#t;#r;#e;#n;#o;#a;#s;constructor(t,r,n){const{ar:o,ma:a}=r;
this.#t=t;this.#r=r;this.#e=n;this.#n=new tt(o.length,a.length);const s=this.#n.gain.length;this.#o=o.length===s?o:new Float64Array(
s);this.state=new Float64Array(s+1);this.ofOne=new Float64Array(s+1);this.#a=new Float64Array(s+1);this.#s=new Float64Array(
s+1);this.errors=new Float64Array(t.length);this.errorsOfOne=new Float64Array(t.length);this.variances=new Float64Array(
t.length)}run(t){if(!this.#n.compute(this.#r))return Number.NaN;if(this.#o!==this.#r.ar)this.#o.set(this.#r.ar);const r=this.#i(
t);if(r<this.#t.length){Wn(this.#r,this.#t,this.#e,r,0,this.errors,this.errorsOfOne)}return r}removeMean(t){za(this.errors,
t,this.errorsOfOne);za(this.state,t,this.ofOne)}#i(t){const r=this.#t;const n=r.length;const o=this.#o;const a=o.length;
const{state:s,ofOne:i,errors:l,errorsOfOne:u,variances:m}=this;const d=this.#a;const c=this.#s;const f=this.#e;s.fill(0);
i.fill(0);d.set(this.#n.gain);c.set(this.#n.gain);let p=this.#n.variance;const h=p*p;for(let b=0;b<n;b++){const y=s[0];const g=r[b]-
y;const F=i[0];const S=1-F;l[b]=g;u[b]=S;m[b]=p;const A=c[0];const w=-p/h*A;const M=p+w*A;const E=A/M;const x=g/p;if(f){
const k=S/p;for(let W=0;W<a;W++){const z=o[W];const fe=d[W];const P=z*A+c[W+1];const Ie=fe+w*P;s[W]=z*y+s[W+1]+fe*x;i[W]=
z*F+i[W+1]+fe*k;d[W]=Ie;c[W]=P-Ie*E}}else{for(let k=0;k<a;k++){const W=o[k];const z=d[k];const fe=W*A+c[k+1];const P=z+w*
fe;s[k]=W*y+s[k+1]+z*x;d[k]=P;c[k]=fe-P*E}}p=M;if(A*A<1e-30&&$m(c,a))c.fill(0);if(t&&p<1+Gm&&b+1>=a)return b+1}return n}};
function $m(e,t){for(let r=0;r<t;r++)if(Math.abs(e[r])>1e-15)return false;return true}function za(e,t,r){for(let n=0;n<e.
length;n++)e[n]=e[n]-t*r[n]}var rt=class{parameters;residuals;#t;#r;#e;#n;#o=0;#a=0;#s=0;constructor(t,r,n){this.parameters=te(n);this.residuals=r.length;
this.#t=t;this.#r=n;this.#e=Ze(n);this.#n=new ir(r,this.#e,n.constant)}evaluate(t,r){return this.#i(t,true,r)}path(t,r){
const n=new Float64Array(this.residuals);const o=this.#i(t,false,n);const{state:a,ofOne:s}=this.#n;const i=this.#r;const l=this.#e;
const u=this.#o;const m=Xa(i,l,r);let d=0;const c=m.map(f=>{d+=f*f;return d});return{residuals:n,squares:o,scale:v(this.#s/
this.residuals),mean:Un(this.#t,i,{polynomials:l,state:a,mean:u},r),unitVariance:c,meanResponse:Ka(i,{polynomials:l,state:s,
mean:u},r),meanInformation:this.#a}}#i(t,r,n){et(this.#r,t,this.#e);const o=this.#n.run(r);if(Number.isNaN(o))return Number.
POSITIVE_INFINITY;const{errors:a,variances:s}=this.#n;const i=this.residuals;this.#s=Ym(s,o);if(this.#r.constant)this.#u(
o);const l=v(this.#s/(2*i));let u=0;for(let m=0;m<i;m++){const d=a[m]*(m<o?l/Math.sqrt(s[m]):l);n[m]=d;u+=d*d}return u}#u(t){
const{errors:r,errorsOfOne:n,variances:o}=this.#n;let a=0;let s=0;for(let i=0;i<r.length;i++){const l=n[i]/(i<t?o[i]:1);
a+=l*r[i];s+=l*n[i]}this.#o=s>0?a/s:0;this.#a=s;this.#n.removeMean(this.#o)}};function Ym(e,t){let r=1;let n=0;for(let o=0;o<
t;o++){r*=e[o];if(r>1e100||o===t-1){n+=N(r);r=1}}return n}var Za={tolerance:3e-5,maxIterations:25};var lr={tolerance:1e-7,maxIterations:30};var es={tolerance:3e-4,maxIterations:10};
var Hm=2e6;function Gn({y:e,w:t},r,n,o,a){const s=o==="exact"?new rt(e,t,r):new sr(t,r);const i=$n(r);const l=t.length-i-
1;if(s.residuals<=0||l<=0&&te(r)>0)return Bm(r);const u=new Float64Array(s.residuals);const m=jm(r,n);let d=s.evaluate(m.
free,u);for(const h of m.fresh){for(const b of[.4,-.4]){const y=m.free[h];m.free[h]=b;const g=s.evaluate(m.free,u);if(g<
d)d=g;else m.free[h]=y}}const c=ze(s,m.free,Qm(a,t.length,r,o));if(!(c.value>0)||!Number.isFinite(c.value)||!or(r,c.at)){
return{orders:r,free:c.at,aicc:Number.POSITIVE_INFINITY}}const f=t.length;const p=f*(N(c.value/s.residuals)+1+N(2*Math.PI))+
2*i;return{orders:r,free:c.at,aicc:p+(l>0?2*i*(i+1)/l:0)}}function Qm(e,t,r,n){if(n==="conditional")return e;const o=Math.
max(r.p+r.P*r.season,r.q+r.Q*r.season+1);const a=Math.floor(Hm/(t*o*(te(r)+2)));return{...e,maxIterations:Math.max(2,Math.
min(e.maxIterations,a))}}function $n(e){return te(e)+(e.constant?1:0)+1}function Bm(e){return{orders:e,free:new Float64Array(
te(e)),aicc:Number.POSITIVE_INFINITY}}var Ja=3;function jm(e,t){const r=new Float64Array(te(e));const n=[];let o=0;let a=0;
for(const s of["p","q","P","Q"]){const i=t===void 0?0:t.orders[s];for(let l=0;l<e[s];l++){if(l<i)r[o+l]=Math.max(-Ja,Math.
min(Ja,t.free[a+l]));else n.push(o+l)}o+=e[s];a+=i}return{free:r,fresh:n}}var ur=class{r;dimension;load;seen;phi;shock;constructor(t,r){this.r=t;this.dimension=t+r.length;this.load=new Float64Array(
this.dimension);this.load[0]=1;this.load.set(r,t);this.seen=Int32Array.from(this.load.keys()).filter(n=>this.load[n]!==0);
this.phi=new Float64Array(t);this.shock=new Float64Array(t)}set({ar:t,ma:r}){this.phi.fill(0);this.phi.set(t);this.shock.
fill(0);this.shock[0]=1;this.shock.set(r,1)}expected(t){let r=0;for(const n of this.seen)r+=t[n]*this.load[n];return r}advance(t){
const{r,phi:n}=this;const o=this.expected(t);const a=t[0];for(let s=this.dimension-1;s>r;s--)t[s]=t[s-1];for(let s=0;s<r;s++)
t[s]=n[s]*a+(s+1<r?t[s+1]:0);if(this.dimension>r)t[r]=o}advanceColumns(t,r){const{r:n,phi:o,dimension:a}=this;for(let s=0;s<
n;s++){const i=o[s];for(let l=0;l<a;l++){r[s*a+l]=i*t[l]+(s+1<n?t[(s+1)*a+l]:0)}}if(a===n)return;r.fill(0,n*a,(n+1)*a);for(const s of this.
seen){const i=this.load[s];for(let l=0;l<a;l++){r[n*a+l]=r[n*a+l]+i*t[s*a+l]}}r.set(t.subarray(n*a,(a-1)*a),(n+1)*a)}};var mr=class{#t;#r;#e;#n;constructor(t){
this.#t=t;this.#r=new Float64Array(t.dimension);this.#e=new Float64Array(t.dimension**2);this.#n=new Float64Array(t.dimension**
2)}begin({variance:t,gain:r},n){const{r:o,phi:a,shock:s,dimension:i}=this.#t;const l=this.#e;l.fill(0);l[0]=t;for(let u=0;u+
1<o;u++){const m=r[u]-a[u]*t;l[u+1]=m;l[(u+1)*i]=m}for(let u=o-1;u>=1;u--){for(let m=u;m>=1;m--){const d=a[u];const c=a[m];
let f=d*c*t+s[u]*s[m];if(m+1<o)f+=d*l[m+1];if(u+1<o)f+=c*l[u+1]+l[(u+1)*i+m+1];l[u*i+m]=f;l[m*i+u]=f}}for(let u=o;u<i;u++)
l[u*i+u]=n}observe(){const{load:t,seen:r,dimension:n}=this.#t;const o=this.#e;let a=0;for(let s=0;s<n;s++){let i=0;for(const l of r)
i+=o[s*n+l]*t[l];this.#r[s]=i;a+=i*t[s]}return a}correct(t,r){for(let n=0;n<t.length;n++)t[n]=t[n]+this.#r[n]*r}reduce(t){
const r=this.#t.dimension;const n=this.#e;const o=this.#r;for(let a=0;a<r;a++){const s=o[a]/t;for(let i=0;i<r;i++)n[a*r+
i]=n[a*r+i]-s*o[i]}}advance(){const{r:t,shock:r,dimension:n}=this.#t;this.#t.advanceColumns(this.#e,this.#n);Xm(this.#n,
this.#e,n);this.#t.advanceColumns(this.#e,this.#n);[this.#e,this.#n]=[this.#n,this.#e];const o=this.#e;for(let a=0;a<t;a++){
for(let s=0;s<t;s++){o[a*n+s]=o[a*n+s]+r[a]*r[s]}}}};function Xm(e,t,r){for(let n=0;n<r;n++)for(let o=0;o<r;o++)t[o*r+n]=
e[n*r+o]}var Km=1e8;var zm=1e5;var Jm={mean:0,meanInformation:0,scale:1,squares:Number.POSITIVE_INFINITY};var cr=class{parameters;residuals;#t;#r;#e;#n;#o;#a;#s;#i;#u;#m;#l;#c;constructor(t,r){
this.#e=r;this.#r=r.d+r.D>0?t.find(o=>!Number.isNaN(o))??0:0;this.#t=t.map(o=>o-this.#r);this.parameters=te(r);this.residuals=
t.length;this.#n=Ze(r);this.#o=new tt(this.#n.ar.length,this.#n.ma.length);const n=Nt(r.d,r.D,r.season);this.#a=new ur(this.#o.
gain.length,n);this.#s=new mr(this.#a);this.#i=new Float64Array(this.#a.dimension);this.#u=new Float64Array(this.#a.dimension);
this.#m=new Float64Array(t.length);this.#l=new Float64Array(t.length);this.#c=new Float64Array(t.length)}evaluate(t,r){return this.#d(
t,r).squares}path(t,r){const n=new Float64Array(this.residuals);const o=this.#d(t,n);const a=new Float64Array(r);const s=new Float64Array(
r);const i=new Float64Array(r);for(let d=0;d<r;d++){i[d]=this.#p(this.residuals+d)-this.#a.expected(this.#u);a[d]=this.#r+
this.#a.expected(this.#i)+o.mean*i[d];s[d]=this.#s.observe();this.#f()}const{squares:l,scale:u,meanInformation:m}=o;return{
residuals:n,squares:l,scale:u,mean:a,unitVariance:s,meanResponse:i,meanInformation:m}}#d(t,r){et(this.#e,t,this.#n);if(!this.#o.
compute(this.#n))return Jm;const n=this.#a;const o=this.#s;n.set(this.#n);o.begin(this.#o,Km);this.#i.fill(0);this.#u.fill(
0);for(let a=0;a<this.residuals;a++){const s=this.#t[a];this.#c[a]=0;if(!Number.isNaN(s)){const i=o.observe();const l=s-
n.expected(this.#i);const u=this.#p(a)-n.expected(this.#u);o.correct(this.#i,l/i);o.correct(this.#u,u/i);o.reduce(i);this.#m[a]=
l;this.#l[a]=u;if(i<zm)this.#c[a]=i}this.#f()}return Zm(this.#m,this.#l,this.#c,r)}#f(){this.#a.advance(this.#i);this.#a.
advance(this.#u);this.#s.advance()}#p(t){if(!this.#e.constant)return 0;if(this.#e.d>0)return t;return this.#e.D>0?t/this.#e.
season:1}};function Zm(e,t,r,n){let o=0;let a=0;let s=0;let i=0;for(let d=0;d<e.length;d++){const c=r[d];if(c===0)continue;
o+=N(c);a++;s+=e[d]*t[d]/c;i+=t[d]**2/c}const l=i>0?s/i:0;const u=v(o/Math.max(1,a));let m=0;for(let d=0;d<e.length;d++){
const c=r[d];const f=e[d]-l*t[d];n[d]=c===0?0:f*Math.sqrt(u/c);m+=n[d]**2}return{mean:l,meanInformation:i,scale:u,squares:m}}function nt(e,t){let r=Math.max(0,e.length-t);let n=e.length;while(r<n&&Number.isNaN(e[r]))r++;while(n>r&&Number.isNaN(e[n-
1]))n--;const o=e.subarray(r,n);let a=0;let s=Number.POSITIVE_INFINITY;let i=Number.NEGATIVE_INFINITY;let l=0;for(const c of o){
if(Number.isNaN(c))continue;if(!Number.isFinite(c))throw new I("INVALID_SERIES","The series holds an infinite value.");a=
Math.max(a,Math.abs(c));s=Math.min(s,c);i=Math.max(i,c);l++}if(l<2)throw new I("INSUFFICIENT_HISTORY","At least two obse\
rvations are needed.");let u=0;for(const c of o)if(!Number.isNaN(c))u+=Math.abs(c/a)/l;const m=a*u;const d=s===i||!(m>0);
return{values:o.map(c=>c/m),observed:l,scale:m,isPositive:s>0,isConstant:d}}function re(e){const t=Float64Array.from(e);
let r=-1;for(let n=0;n<t.length;n++){if(Number.isNaN(t[n]))continue;const o=r<0?t[n]:t[r];const a=r<0?0:(t[n]-o)/(n-r);for(let s=r+
1;s<n;s++)t[s]=o+a*(s-r);r=n}if(r>=0)t.fill(t[r],r+1);return t}var ec=2;function dr(e,t,r){const n=e.length;const o=ts(Math.ceil(1.5*t/(1-1.5/r)));const a=ts(t);const s=new Float64Array(
n);const i=new Float64Array(n);const l=new Float64Array(n);const u=new Float64Array(n+2*t);const m=new Float64Array(n+2*
t);const d=new Float64Array(n+2*t);for(let c=0;c<ec;c++){for(let f=0;f<n;f++)l[f]=e[f]-i[f];tc(l,t,r,u);Yn(u,n+2*t,t,m);
Yn(m,n+t+1,t,d);Yn(d,n+2,3,m);Qn(m,0,n,a,1,Math.ceil(a/10),d,0);for(let f=0;f<n;f++){s[f]=u[t+f]-d[f];l[f]=e[f]-s[f]}Qn(
l,0,n,o,1,Math.ceil(o/10),i,0)}return{seasonal:s,trend:i}}function tc(e,t,r,n){const o=e.length;const a=Math.ceil(o/t);const s=new Float64Array(
a);const i=new Float64Array(a);for(let l=0;l<t;l++){const u=Math.floor((o-1-l)/t)+1;for(let c=0;c<u;c++)s[c]=e[c*t+l];Qn(
s,0,u,r,0,Math.ceil(r/10),i,0);for(let c=0;c<u;c++)n[(c+1)*t+l]=i[c];const m=Bn(s,0,u,r,0,-1,0,Math.min(r,u)-1);n[l]=Number.
isNaN(m)?i[0]:m;const d=Bn(s,0,u,r,0,u,Math.max(0,u-r),u-1);n[(u+1)*t+l]=Number.isNaN(d)?i[u-1]:d}}function Yn(e,t,r,n){
let o=0;for(let a=0;a<r;a++)o+=e[a];n[0]=o/r;for(let a=r;a<t;a++){o+=e[a]-e[a-r];n[a-r+1]=o/r}}function ts(e){const t=Math.
round(e);return t%2===0?t+1:t}function Qn(e,t,r,n,o,a,s,i){if(r<2){if(r===1)s[i]=e[t];return}const l=Math.max(1,Math.min(
a,r-1));let u=0;let m=Math.min(n,r)-1;const d=n+1>>1;const c=p=>{if(n>=r){u=0;m=r-1}else{u=Math.max(0,Math.min(r-n,p+1-d));
m=u+n-1}const h=Bn(e,t,r,n,o,p,u,m);return Number.isNaN(h)?e[t+p]:h};let f=0;s[i]=c(0);for(let p=l;p<r;p+=l){s[i+p]=c(p);
rs(s,i,f,p);f=p}if(f!==r-1){s[i+r-1]=c(r-1);rs(s,i,f,r-1)}}function Bn(e,t,r,n,o,a,s,i){let l=Math.max(a-s,i-a);if(n>r)l+=
n-r>>1;const u=.999*l;const m=.001*l;let d=0;let c=0;for(let h=s;h<=i;h++){const b=Hn(Math.abs(h-a),l,m,u);d+=b;c+=b*h}if(!(d>
0))return Number.NaN;c/=d;let f=0;if(o===1&&l>0){let h=0;for(let b=s;b<=i;b++){h+=Hn(Math.abs(b-a),l,m,u)/d*(b-c)**2}if(Math.
sqrt(h)>.001*(r-1))f=(a-c)/h}let p=0;for(let h=s;h<=i;h++){const b=Hn(Math.abs(h-a),l,m,u)/d;p+=b*(1+f*(h-c))*e[t+h]}return p}
function Hn(e,t,r,n){if(e>n)return 0;if(e<=r)return 1;const o=e/t;const a=1-o*o*o;return a*a*a}function rs(e,t,r,n){const o=e[t+
r];const a=(e[t+n]-o)/(n-r);for(let s=r+1;s<n;s++)e[t+s]=o+a*(s-r)}var rc=1e3;var jn=8;var nc=5e3;function ns(e){const t=Math.max(rc,Math.min(nc,jn*e.season));const r=e.values.slice(-t);const n=r.
findIndex(c=>!Number.isNaN(c));const o=r.findLastIndex(c=>!Number.isNaN(c));const a=r.subarray(Math.max(0,n),o+1);let s=0;
let i=0;for(const c of a){if(Number.isNaN(c))i++;else s=Math.max(s,Math.abs(c))}if(a.length-i<2)throw new I("INSUFFICIEN\
T_HISTORY","ARIMA needs two observations.");if(!Number.isFinite(s))throw new I("INVALID_SERIES","A value of the series i\
s not finite.");const l=Math.max(1,Math.round(e.season)||1);if(s===0)return{values:a,filled:re(a),gaps:i,season:l,unit:1};
const u=a.map(c=>c/s);const m=ac(u)||1;const d=u.map(c=>c/m);return{values:d,filled:oc(d,i,l),gaps:i,season:l,unit:s*m}}
function oc(e,t,r){let n=re(e);if(t===0||r<2||e.length<=2*r)return n;for(let o=0;o<2;o++){const{seasonal:a}=dr(n,r,11);const s=re(
e.map((i,l)=>i-a[l]));n=s.map((i,l)=>i+a[l])}return n}function ac(e){let t=0;let r=0;for(const o of e){if(Number.isNaN(o))
continue;r++;t+=(o-t)/r}let n=0;for(const o of e)if(!Number.isNaN(o))n+=(o-t)**2;return Math.sqrt(n/r)}var sc=.463;var ic=.64;function as(e,t){if(t<2||e.length<=2*t||De(e))return 0;return uc(e,t)>ic?1:0}function ss(e){let t=e;
for(let r=0;r<2;r++){if(t.length<2||De(t)||!(lc(t)>sc))return r;t=ar(t,1)}return 2}function lc(e){const t=e.length;const r=Math.
trunc(3*Math.sqrt(t)/13);let n=0;for(const i of e)n+=i;n/=t;let o=0;let a=0;let s=0;for(let i=0;i<t;i++){const l=e[i]-n;
o+=l;a+=o*o;s+=l*l}for(let i=1;i<=r;i++){let l=0;for(let u=i;u<t;u++)l+=(e[u]-n)*(e[u-i]-n);s+=2*(1-i/(r+1))*l}return a/
t/s}function uc(e,t){const{seasonal:r,trend:n}=dr(e,t,mc);const o=e.map((s,i)=>s-n[i]-r[i]);const a=o.map((s,i)=>s+r[i]);
return Math.max(0,Math.min(1,1-os(o)/os(a)))}var mc=11;function os(e){let t=0;for(const n of e)t+=n;t/=e.length;let r=0;
for(const n of e)r+=(n-t)**2;return r/(e.length-1)}var cc=94;var is=500;var dc=[[0,0,-1,0],[0,0,0,-1],[0,0,1,0],[0,0,0,1],[0,0,-1,-1],[0,0,-1,1],[0,0,1,-1],[0,0,1,1]];var fc=[
[-1,0,0,0],[0,-1,0,0],[1,0,0,0],[0,1,0,0],[-1,-1,0,0],[-1,1,0,0],[1,-1,0,0],[1,1,0,0]];var pc=[...dc,...fc];function ls(e,t,r,n,o){
const a=Math.max(is,jn*t.season);const s={y:e.y.subarray(-a),w:e.w.subarray(-a)};const i=fr(e)?es:Za;const l=[];let u;const m=y=>{
if(l.length>=cc||l.some(F=>ja(F.orders,y)))return false;D(o);const g=Gn(s,y,u,n,i);l.push(g);if(u!==void 0&&!(g.aicc<u.aicc))
return false;u=g;return true};const{maxP:d,maxQ:c,maxSeasonalP:f,maxSeasonalQ:p}=r;const h=e.y.length<10;const b={...t,p:0,
q:0,P:0,Q:0};m(b);m({...b,p:Math.min(1,d),P:Math.min(1,f)});m({...b,q:Math.min(1,c),Q:Math.min(1,p)});m({...b,p:Math.min(
h?1:2,d),q:Math.min(h?1:2,c),P:h?0:Math.min(1,f),Q:h?0:Math.min(1,p)});if(t.constant)m({...b,constant:false});for(let y=true;y;){
y=false;const g=(u??{orders:b}).orders;for(const[F,S,A,w]of pc){const M={...g,p:g.p+F,q:g.q+S,P:g.P+A,Q:g.Q+w};if(Math.min(
M.p,M.q,M.P,M.Q)<0)continue;if(M.p>d||M.q>c||M.P>f||M.Q>p)continue;y=m(M);if(y)break}if(!y&&t.constant)y=m({...g,constant:!g.
constant})}return l.filter(y=>y.aicc<Number.POSITIVE_INFINITY).sort((y,g)=>y.aicc-g.aicc)}function fr({y:e}){return e.length>
is}function us(e,t){return Gn(e,t.orders,t,"exact",lr)}var hc=24;var bc=400;function ms(e,t){const r=e.length;const n=as(
e,t);const o=ss(qn(e,0,n,t));const a=qn(e,o,n,t);const s=Math.floor(r/3);const i=t===1||t>bc?0:t>hc?1:2;const l=De(a);const u=l?
0:Math.min(i,Math.floor(s/t));const m=l?0:Math.min(5,s,u>0?t-1:5);return{data:{y:e,w:a},base:{p:0,d:o,q:0,P:0,D:n,Q:0,season:t,
constant:o+n<=1},limits:{maxP:m,maxQ:m,maxSeasonalP:u,maxSeasonalQ:u},criterion:r>150||t>12?"conditional":"exact"}}var yc=10;var gc=3;var Ac=2;var Sc=5e7;var Fc=1e7;function cs(e,t,r){const{data:n,base:o,limits:a,criterion:s}=t;const i=ls(
n,o,a,s,r);if(i.length===0)i.push({orders:o,free:new Float64Array(0),aicc:0});const l=e.gaps>0;const u=l||s==="condition\
al";const m=fr(n)?Ac:gc;const d=[];for(const c of i){if(d.length>=(u?m:yc))break;D(r);let f=c;if(s==="conditional"){const p=us(
n,c);if(p.aicc<Number.POSITIVE_INFINITY)f={...p,aicc:c.aicc}}d.push(l?wc(e,t,f):ds(t,f))}return d}function ds({data:e},t){
return{model:t,filter:new rt(e.y,e.w,t.orders),observed:e.w.length}}function wc(e,t,r){const{orders:n,free:o}=r;const a=Mt(
n);const{p:s,q:i,P:l,Q:u,season:m}=n;const d=Math.max(s+l*m,i+u*m+1)+a;const c=fr(t.data)?Fc:Sc;const f=c/(e.values.length*
d**2);const p=Math.max(1,e.values.length-e.gaps-a);if(f<4*(o.length+1))return{...ds(t,r),observed:p};const h=new cr(e.values,
n);const b=Math.min(12,Math.floor(f/(o.length+2))-2);const y=ze(h,o,{...lr,tolerance:1e-6,maxIterations:b});const g=Number.
isFinite(y.value)&&or(n,y.at);return{model:g?{...r,free:y.at}:r,filter:h,observed:p}}var Mc=.5;function fs(e){const t=e[0];const r=t.prediction.mean.length;const n=e.map(({aicc:u})=>v(-Mc*(u-t.aicc)/2));const o=n.
reduce((u,m)=>u+m,0);const a=new Float64Array(r);const s=new Float64Array(r);let i=0;e.forEach(({prediction:u},m)=>{i+=n[m]/
o*u.degrees});const l=e.map((u,m)=>m);for(let u=0;u<r;u++){const m=f=>e[f].prediction.mean[u];const d=Nc(l.map(m),n,o);let c=0;
for(const f of l){const p=e[f].prediction.variance[u];c+=n[f]/o*(p+(m(f)-d)**2)}a[u]=d;s[u]=c}return{mean:a,variance:s,degrees:Math.
max(1,Math.round(i)),residuals:t.prediction.residuals}}function Nc(e,t,r){const n=e.map((i,l)=>l).sort((i,l)=>e[i]-e[l]);
let o=0;let a=0;let s=e[n[0]];for(const i of n){const l=t[i]/r;const u=o+l/2;const m=e[i];if(u>=.5){const d=u>a?(.5-a)/(u-
a):1;return o===0?m:s+d*(m-s)}o+=l;a=u;s=m}return s}var ps=1e-4;var Ec=2;function hs(e,t,r,n){const{orders:o,free:a}=t;const{curvature:s}=ze(e,a,{tolerance:1,maxIterations:1});
const i=e.path(a,n);const l=Math.max(1,r-$n(o)+1);const u=i.squares/l;const m=u/i.scale;const d=o.d+o.D>0?Ec:1;const c=i.
meanInformation>0?d*m/i.meanInformation:0;const f=i.unitVariance.map((h,b)=>h*m+i.meanResponse[b]**2*c);const p=Rc(s,a.length,
u);if(p!==void 0)xc(_c(e,a,i.mean),p,f);return{mean:i.mean,variance:f,degrees:l,residuals:i.residuals}}function _c(e,t,r){
return Array.from(t,(n,o)=>{const a=Float64Array.from(t);const s=n>0?-ps:ps;a[o]=n+s;return e.path(a,r.length).mean.map(
(i,l)=>(i-r[l])/s)})}function xc(e,t,r){const n=e.length;for(let o=0;o<r.length;o++){let a=0;for(let s=0;s<n;s++){const i=e[s][o];
for(let l=0;l<n;l++){a+=t[s*n+l]*i*e[l][o]}}if(a>0)r[o]=r[o]+a}}function Rc(e,t,r){if(t===0||!(r>0))return void 0;const n=new Float64Array(
t*t);const o=new Float64Array(t);for(let a=0;a<t;a++){const s=e.map(i=>i/r);for(let i=0;i<t;i++)s[i*t+i]=s[i*t+i]+1;o.fill(
0);o[a]=1;if(!Ft(s,o,t))return void 0;for(let i=0;i<t;i++)n[i*t+a]=o[i]}return n}function qe(e){if(e===0)return e;const t=zn(e);const r=t%2===0?Xn(be,Fe):Kn(be,Fe);return t<2?r+T():-(r+T())}function ye(e){
const t=zn(e);const r=t%2===0?Kn(be,Fe):Xn(be,Fe);return t===0||t===3?r+T():-(r+T())}function ys(e){if(e===0)return e;const t=zn(
e);const r=Xn(be,Fe);const n=T();const o=Kn(be,Fe);return t%2===0?At(r,n,o,T()):-At(o,T(),r,n)}var Ic=Qe(3,2,8,-1);function Xn(e,t){
const r=e*e;return q(e,t*(1-r/2)-e*r*_e(Ic,r))}var Tc=Qe(4,2,7,-1);function Kn(e,t){const r=e*e;const n=q(1,-r/2);return q(
n,T()+(r*r*_e(Tc,r)-e*t))}var be=0;var Fe=0;var Et=[1.5707963267341256,6077100506303966e-26,20222662487111665e-37,84784276603689e-45];
var Pc=1e6;function zn(e){const t=Math.round(e/Et[0]);if(t===0){be=e;Fe=0;return 0}if(!(Math.abs(t)<Pc))return Oc(e);const r=q(
e-t*Et[0],-t*Et[1]);const n=T();const o=q(r,-t*Et[2]);be=q(o,T()+n-t*Et[3]);Fe=T();return(t%4+4)%4}var pr=1200n;var _t=0n;
function Oc(e){if(!Number.isFinite(e)){be=NaN;return 0}if(_t===0n)_t=2n*(4n*bs(5n)-bs(239n));const t=Math.abs(e);const r=t<
2**53?BigInt(t*2**32)<<pr-32n:BigInt(t)<<pr;const n=(2n*r+_t)/(2n*_t);const o=r-n*_t>>pr-180n;const a=Number(o);be=Math.
sign(e)*a/2**180;Fe=Math.sign(e)*Number(o-BigInt(a))/2**180;return Number(n%4n)*(e<0?3:1)%4}function bs(e){let t=(1n<<pr)/
e;let r=0n;for(let n=1n;t!==0n;n+=2n){r+=t/n;t/=-e*e}return r}function we(e){if(!(e>0&&e<1))return e===0?Number.NEGATIVE_INFINITY:e===1?Number.POSITIVE_INFINITY:Number.NaN;const t=e-
.5;if(Math.abs(t)<=.425){const o=.180625-t*t;return t*Jn(o,vc,kc)}const r=Math.sqrt(-N(t<0?e:1-e));const n=r<=5?Jn(r-1.6,
Cc,Lc):Jn(r-5,Dc,qc);return t<0?-n:n}function gs(e){return we(e.uniform()||Number.MIN_VALUE)}function Jn(e,t,r){let n=0;let o=0;for(let a=t.length-1;a>=0;a--){
n=n*e+t[a];o=o*e+r[a]}return n/o}var vc=[3.3871328727963665,133.14166789178438,1971.5909503065513,13731.69376550946,45921.95393154987,67265.7709270087,33430.57558358813,
2509.0809287301227];var kc=[1,42.31333070160091,687.1870074920579,5394.196021424751,21213.794301586597,39307.89580009271,
28729.085735721943,5226.495278852546];var Cc=[1.4234371107496835,4.630337846156546,5.769497221460691,3.6478483247632045,
1.2704582524523684,.2417807251774506,.022723844989269184,.0007745450142783414];var Lc=[1,2.053191626637759,1.6763848301838038,
.6897673349851,.14810397642748008,.015198666563616457,.0005475938084995345,10507500716444169e-25];var Dc=[6.657904643501103,
5.463784911164114,1.7848265399172913,.29656057182850487,.026532189526576124,.0012426609473880784,27115555687434876e-21,20103343992922881e-23];
var qc=[1,.599832206555888,.1369298809227358,.014875361290850615,.0007868691311456133,18463183175100548e-21,1421511758316446e-22,
20442631033899397e-31];function ot(e,t){if(e===.5)return 0;if(e<=0||e>=1||t>1e6)return we(e);const r=e<.5?-1:1;const n=2*Math.min(e,1-e);const o=Math.
max(1,t);if(o===1)return r/ys(n*Math.PI/2);if(o===2)return r*Math.sqrt(2/(n*(2-n))-2);const a=1/(o-.5);const s=48/(a*a);
let i=(20700*a/s-98)*a-16;i=i*a+96.36;const l=((94.5/(s+i)-3)/s+1)*Math.sqrt(a*Math.PI/2)*o;let u=R(l*n,2/o);if(u>.05+a){
const m=we(n/2);u=m*m;if(o<5)i+=.3*(o-4.5)*(m+.6);i=(((.05*l*m-5)*m-7)*m-2)*m+s+i;u=(((((.4*u+6.3)*u+36)*u+94.5)/i-u-3)/
s+1)*m;u=ka(a*u*u)}else{u=((1/(((o+6)/(o*u)-.089*l-.822)*(o+2)*3)+.5/(o+4))*u-1)*((o+1)/(o+2))+1/u}return r*Math.sqrt(o*
u)}function ne(e,t){const r=t*(e.length-1);const n=Math.floor(r);const o=e[n];const a=e[Math.min(n+1,e.length-1)];return o+
(r-n)*(a-o)}var Wc=1.1;var Uc=.1;function As(e,t,r,n,o){const{mean:a,variance:s,degrees:i}=e;const l=n.map(c=>ot(c,i));const u=a.map(
(c,f)=>Wc*Math.sqrt(s[f])*$c(t,c));const{above:m,below:d}=Ke(u,r,Uc);return Array.from(a,(c,f)=>Float64Array.from(l,p=>{
const h=p>0?m[f]:d[f];return o*Vc(c,h,p,t.level>0&&c>0)}))}function Vc(e,t,r,n){if(!n||r===0)return e+t*r;const o=Math.sqrt(
e);const a=Math.max(0,o+r*t/(2*o));return r>0?Math.max(e,a*a):Math.min(e,a*a)}var Gc=1;function Ss(e,t,r){const n=Xe(e,r);
let o=0;let a=0;for(const s of t){if(Number.isNaN(s))continue;if(!(s>0))return{recent:n,level:0};o+=s;a++}return{recent:n,
level:o/a}}function $c(e,t){if(e.level===0)return e.recent;return Cn(e.recent*R(Math.max(t/e.level,0),Gc/2))}var Fs={id:"arima",quantileSupport:{type:"requested"},fit:Yc};function Yc(e,t){const r=ns(e);const{values:n,filled:o,season:a,
unit:s}=r;if(De(o))return j(o.at(-1)*s);const i=cs(r,ms(o,a),t.signal);const l=rr(o);return(u,m)=>{Y(m);const d=fs(i.map(
({model:p,filter:h,observed:b})=>({aicc:p.aicc,prediction:hs(h,p,b,u)})));const c=Ss(d.residuals,n,a);const f=As(d,c,l,m,
s);if(!f.every(p=>p.every(Number.isFinite))){throw new I("NOT_CONVERGED","The forecast leaves the range of numbers.")}return f}}var Hc=3;function hr(e,t){const{center:r,above:n,below:o,isRelative:a}=e;const s=Math.max(Hc,e.freedom);const i=t.map(l=>ot(
l,s));return Array.from(r,(l,u)=>Float64Array.from(i,m=>{const d=m>0?n[u]:o[u];if(!a||l<=0)return l+m*d;const c=l*v(m*Math.
sqrt(je((d/l)**2)));return m>0?Math.min(c,l+2*m*d):c}))}function at(e,t){for(const r of e)for(let n=0;n<r.length;n++)r[n]=
Math.max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,r[n]*t));return e}var Qc=.01;function yr(e,t,r){const n={adjusted:e,indices:0,restore:u=>u};if(t<2||e.length<=2*t)return n;const o=re(e);if(!Kc(
o,t))return n;const a=r?br(o,t,true):null;const s=a?.every(u=>u>Qc)===true;const i=s?a:br(o,t,false);if(i===null)return n;
const l=u=>i[u%t];return{adjusted:e.map((u,m)=>s?u/l(m):u-l(m)),indices:t-1,restore:u=>u.map((m,d)=>m.map(c=>s?c*l(e.length+
d):c+l(e.length+d)))}}function br(e,t,r){const n=e.length;const o=2*n>=5*t?Bc(e,t):xt(e);const a=new Float64Array(t);const s=new Float64Array(
t);for(let u=0;u<n;u++){const m=o[u];if(Number.isNaN(m))continue;if(r&&!(m>0))return null;const d=r?e[u]/m:e[u]-m;a[u%t]=
a[u%t]+d;s[u%t]=s[u%t]+1}let i=0;for(let u=0;u<t;u++){a[u]=s[u]>0?a[u]/s[u]:r?1:0;i+=a[u]}const l=i/t;if(r&&!(l>0))return null;
for(let u=0;u<t;u++)a[u]=r?a[u]/l:a[u]-l;return a}function Bc(e,t){const r=e.length;const n=t>>1;const o=t%2===0;const a=new Float64Array(
r).fill(Number.NaN);let s=0;for(let i=0;i<Math.min(r,2*n+1);i++)s+=e[i];for(let i=n;i<r-n;i++){const l=o?(e[i-n]+e[i+n])/
2:0;a[i]=(s-l)/t;s+=(e[i+n+1]??0)-e[i-n]}return a}function xt(e){const t=e.length;const r=(t-1)/2;let n=0;let o=0;let a=0;
for(let i=0;i<t;i++){n+=e[i]/t;o+=(i-r)*e[i];a+=(i-r)**2}const s=a>0?o/a:0;return Float64Array.from(e,(i,l)=>n+s*(l-r))}
var jc=1.6448536269514722;var Xc=5e6;function Kc(e,t){const r=e.length;if(t<2||r<=2*t)return false;let n=0;for(let l=0;l<
r;l++)n+=e[l]/r;let o=0;for(let l=0;l<r;l++)o+=(e[l]-n)**2;if(!(o>0))return false;const a=l=>{let u=0;for(let m=l;m<r;m++)
u+=(e[m]-n)*(e[m-l]-n);return u/o};const s=Math.ceil(r*t/Xc);let i=0;for(let l=1;l<t;l+=s)i+=s*a(l)**2;return Math.abs(a(
t))/Math.sqrt((1+2*i)/r)>jc}function Ns(e,t,r){const n=t.length;const o=new Float64Array(n);let a=Float64Array.from(t);let s=e(a,o);if(!Number.isFinite(
s))return{point:a,value:Number.POSITIVE_INFINITY};const i=new Float64Array(n*n);ws(i,r.steps);const l=new Float64Array(n);
const u=new Float64Array(n);const m=new Float64Array(n);const d=new Float64Array(n);let c=new Float64Array(n);let f=true;
let p=0;for(let h=0;h<r.maxIterations;h++){const b=Jc(i,o,l);let y=f?zc(l,r.steps):1;let g=Number.POSITIVE_INFINITY;if(b<
0){for(let S=0;S<12;S++){for(let w=0;w<n;w++){u[w]=y*l[w];c[w]=a[w]+u[w]}g=e(c,m);if(g<=s+1e-4*y*b)break;const A=2*(g-s-
y*b);y*=Number.isFinite(g)?Math.min(.5,Math.max(.1,-y*b/A)):.3;g=Number.POSITIVE_INFINITY}}if(g>=s){if(f)break;ws(i,r.steps);
f=true;continue}Zc(i,u,o,m,d,f);f=false;const F=s-g;[a,c]=[c,a];o.set(m);s=g;p=F<r.tolerance?p+1:0;if(p>=3)break}return{
point:a,value:s}}function zc(e,t){let r=0;for(let n=0;n<t.length;n++)r=Math.max(r,Math.abs(e[n])/t[n]);return r>1?1/r:1}
function ws(e,t){e.fill(0);for(let r=0;r<t.length;r++)e[r*t.length+r]=t[r]**2}function Jc(e,t,r){const n=t.length;let o=0;
for(let a=0;a<n;a++){let s=0;for(let i=0,l=a*n;i<n;i++,l++)s-=e[l]*t[i];r[a]=s;o+=s*t[a]}return o}function Zc(e,t,r,n,o,a){
const s=t.length;let i=0;for(let m=0;m<s;m++)i+=t[m]*(n[m]-r[m]);if(!(i>1e-14))return;let l=Ms(e,r,n,o);if(a){const m=i/
l;for(let d=0;d<e.length;d++)e[d]=e[d]*m;l=Ms(e,r,n,o)}const u=(1+l/i)/i;for(let m=0;m<s;m++){const d=t[m];const c=o[m];
for(let f=0,p=m*s;f<s;f++,p++){const h=t[f];e[p]=e[p]+u*d*h-(c*h+d*o[f])/i}}}function Ms(e,t,r,n){const o=t.length;let a=0;
for(let s=0;s<o;s++){let i=0;for(let l=0,u=s*o;l<o;l++,u++)i+=e[u]*(r[l]-t[l]);n[s]=i;a+=i*(r[s]-t[s])}return a}function Es(e,t){const r=[];for(const n of e?[false,true]:[false]){const o=!t?["none"]:n?["none","additive","multiplicat\
ive"]:["none","additive"];for(const a of o)for(const s of["none","linear","damped"])r.push({relativeError:n,trend:s,season:a})}
return r}function _s(e,t){const r=e.trend==="none"?0:e.trend==="linear"?2:3;return 3+r+(e.season==="none"?0:t)}function xs(e,t,r){const n=r==="none"?new Float64Array(0):br(e,t,r==="multiplicative");if(n===null)return null;if(r==="m\
ultiplicative")for(let c=0;c<t;c++)n[c]=Math.max(.01,n[c]);const o=Float64Array.from(e,(c,f)=>{const p=n[f%t];return p===
void 0||r==="none"?c:r==="additive"?c-p:c/p});const a=o.subarray(0,Math.min(Math.max(10,2*t),e.length));const s=xt(a);const i=s[0];
const l=s.length>1?s[1]-i:0;const u=a.reduce((c,f)=>c+f,0)/a.length;let m=0;for(let c=1;c<o.length;c++)m+=(o[c]-o[c-1])**
2;const d=Math.sqrt(m/Math.max(1,o.length-1))+1e-6;return{withTrend:{level:i-l,slope:l,season:n,unit:d},flat:{level:u,slope:0,
season:n,unit:d}}}function Rs(e){return{alpha:0,beta:0,gamma:0,phi:0,level:0,trend:0,season:new Float64Array(e.season.length)}}function Is(e,t,r,n){
n.alpha=n.beta=n.gamma=n.phi=n.level=n.trend=0;if(e.kind==="none")return ed(e,t,r,n);const o=e.values.length;n.season.fill(
0,o,o+e.period);return e.kind==="additive"?td(e,t,r,n):rd(e,t,r,n)}function ed(e,{alpha:t,beta:r,phi:n},o,a){const{values:s,
trend:i,residual:l}=e;let u=0;let m=0;for(let d=s.length-1;d>=0;d--){const c=l[d];const f=i[d];a.alpha+=u*c;a.beta+=m*c;
const p=s[d];const h=!Number.isNaN(p)?t*u+r*m:0;const b=u+o[d]-h;a.phi+=(b+m)*f;m=n*(b+m);u=b}a.level=u;a.trend=m;return a}
function td(e,{alpha:t,beta:r,gamma:n,phi:o},a,s){const{values:i,period:l,trend:u,residual:m}=e;const d=s.season;let c=0;
let f=0;for(let p=i.length-1;p>=0;p--){const h=m[p];const b=u[p];const y=d[p+l];s.alpha+=c*h;s.beta+=f*h;s.gamma+=y*h;const g=i[p];
const F=!Number.isNaN(g)?t*c+r*f+n*y:0;const S=a[p]-F;const A=c+S;d[p]=y+S;s.phi+=(A+f)*b;f=o*(A+f);c=A}s.level=c;s.trend=
f;return s}function rd(e,{alpha:t,beta:r,gamma:n,phi:o},a,s){const{values:i,period:l,level:u,trend:m,season:d,residual:c}=e;
const f=s.season;let p=0;let h=0;for(let b=i.length-1;b>=0;b--){const y=c[b];const g=m[b];const F=d[b];const S=u[b]+o*g;
const A=f[b+l];const w=t*p+r*h;s.alpha+=p*y/F;s.beta+=h*y/F;s.gamma+=A*y/S;const M=i[b];const E=!Number.isNaN(M)?w/F+n*A/
S:0;const x=a[b]-E;const k=p-n*A*y/(S*S)+x*F;f[b]=A-w*y/(F*F)+x*S;s.phi+=(k+h)*g;h=o*(k+h);p=k}s.level=p;s.trend=h;return s}var We={level:10,trend:3,season:3};function Os(e,t,r,n,o){const a=Ts(e,t,r);const s=r.season==="none"?0:Ps(e.gamma,t,n);
const i=a+s;const l=u=>{const m=e[u];e[u]=m+gr;o[u]+=(Ts(e,t,r)+s-i)/gr;e[u]=m};l("alpha");if(r.trend!=="none")l("beta");
if(r.trend==="damped")l("phi");if(r.season!=="none"){o.gamma+=(a+Ps(e.gamma+gr,t,n)-i)/gr}return i}var gr=1e-5;function Ts({
alpha:e,beta:t,phi:r},n,o){let a=1;let s=0;let i=0;let l=1;let u=0;let m=0;let d=0;for(let p=0;p<n;p++){const h=a+r*s;const b=i+
r*l;u+=h*h;m+=h*b;d+=b*b;a=(1-e)*h;s=r*s-t*h;i=(1-e)*b;l=r*l-t*b}const c=We.level**2;const f=o.trend==="none"?0:We.trend**
2;return N((1+c*u)*(1+f*d)-c*f*m*m)}function Ps(e,t,r){const n=(1-e)**2;const o=(1-R(n,t/r))/(1-n);return(r-1)*je(We.season**
2*o)}function vs(e,t,r,n){return t?od(e,r,n):nd(e,r,n)}function nd({values:e,residual:t},r,n){let o=r;let a=0;for(let i=0;i<e.
length;i++){const l=e[i];const u=t[i];o+=u*u;if(!Number.isNaN(l))a++}const s=-2*a/o;for(let i=0;i<e.length;i++)n.byFitted[i]=
s*t[i];n.squares=o;return a*N(o)}function od({values:e,fitted:t,residual:r},n,o){let a=n;let s=0;let i=0;let l=1;for(let m=0;m<
e.length;m++){const d=e[m];if(Number.isNaN(d))continue;const c=t[m];if(!(c>1e-9))return Number.POSITIVE_INFINITY;const f=r[m]/
c;a+=f*f;s++;l*=c;if(l<1e-200||l>1e200){i+=N(l);l=1}}i+=N(l);const u=-2*s/a;for(let m=0;m<e.length;m++){const d=e[m];const c=t[m];
o.byFitted[m]=!Number.isNaN(d)?u*r[m]*d/(c*c*c)+2/c:0}o.squares=a;return s*N(a)+2*i}function ks(e,t,r){const n=e.length;return{values:e,period:t,kind:r,level:new Float64Array(n+1),trend:new Float64Array(n+
1),season:new Float64Array(r==="none"?0:n+t),fitted:new Float64Array(n),residual:new Float64Array(n)}}function Cs(e,t){if(e.
kind==="none")ad(e,t);else if(e.kind==="additive")sd(e,t);else return id(e,t);return true}function ad({values:e,level:t,
trend:r,fitted:n,residual:o},{alpha:a,beta:s,phi:i}){let l=t[0];let u=r[0];for(let m=0;m<e.length;m++){const d=i*u;const c=l+
d;const f=e[m]-c;const p=Number.isNaN(f)?0:f;l=c+a*p;u=d+s*p;n[m]=c;o[m]=p;t[m+1]=l;r[m+1]=u}}function sd(e,{alpha:t,beta:r,
gamma:n,phi:o}){const{values:a,period:s,level:i,trend:l,season:u,fitted:m,residual:d}=e;let c=i[0];let f=l[0];for(let p=0;p<
a.length;p++){const h=o*f;const b=c+h;const y=u[p];const g=b+y;const F=a[p]-g;const S=Number.isNaN(F)?0:F;c=b+t*S;f=h+r*
S;u[p+s]=y+n*S;m[p]=g;d[p]=S;i[p+1]=c;l[p+1]=f}}function id(e,{alpha:t,beta:r,gamma:n,phi:o}){const{values:a,period:s,level:i,
trend:l,season:u,fitted:m,residual:d}=e;let c=i[0];let f=l[0];for(let p=0;p<a.length;p++){const h=o*f;const b=c+h;const y=u[p];
if(!(b>1e-9&&y>1e-9))return false;const g=b*y;const F=a[p]-g;const S=Number.isNaN(F)?0:F;const A=S/y;c=b+t*A;f=h+r*A;u[p+
s]=y+n*S/b;m[p]=g;d[p]=S;i[p+1]=c;l[p+1]=f}return true}var H=1e-4;var Sr=.9999;var Rt=.8;var Zn=.98;function Fr(e){return 1+(e.trend==="none"?0:1)+(e.season==="none"?0:1)+(e.trend===
"damped"?1:0)}function Ls(e,t,r){let n=0;r.alpha=H+(Sr-H)*xe(t[n++]);r.beta=e.trend==="none"?0:H+(r.alpha-H)*xe(t[n++]);
r.gamma=e.season==="none"?0:H+(1-r.alpha-H)*xe(t[n++]);r.phi=e.trend==="damped"?Rt+(Zn-Rt)*xe(t[n]):1}function Ds(e,t,r){
const{alpha:n,beta:o,gamma:a,phi:s}=t;let i=0;r[i++]=Ar((n-H)/(Sr-H));if(e.trend!=="none")r[i++]=Ar((o-H)/(n-H));if(e.season!==
"none")r[i++]=Ar((a-H)/(1-n-H));if(e.trend==="damped")r[i]=Ar((s-Rt)/(Zn-Rt))}function qs(e,t,r,n){const o=xe(t[0]);const a=H+
(Sr-H)*o;let s=r.alpha;let i=1;if(e.trend!=="none"){const l=xe(t[i]);s+=r.beta*l;n[i++]=r.beta*(a-H)*l*(1-l)}if(e.season!==
"none"){const l=xe(t[i]);s-=r.gamma*l;n[i++]=r.gamma*(1-a-H)*l*(1-l)}if(e.trend==="damped"){const l=xe(t[i]);n[i]=r.phi*
(Zn-Rt)*l*(1-l)}n[0]=s*(Sr-H)*o*(1-o)}function xe(e){return 1/(1+v(-e))}function Ar(e){const t=Math.min(1-1e-6,Math.max(
1e-6,e));return N(t/(1-t))}function Ws({alpha:e,beta:t,gamma:r,phi:n},o){const a=e+t-e*n;let s=new Float64Array(o+2).fill(
a);s[0]=1;s[1]=e+t-n;s[o]=a+r-1;s[o+1]=n*(1-e-r);for(let i=o+1;i>0;i--){const l=s[i];if(!(Math.abs(l)<1))return false;const u=new Float64Array(
i);for(let m=0;m<i;m++)u[m]=(s[m]-l*s[i-m])/(1-l*l);s=u}return true}var ld={alpha:.2,beta:.05*.2,gamma:.02*.8,phi:.97};var ud=3;var md=1e-18;function Us(e,t,r){const{values:n,observed:o,period:a}=e;
const s=ks(n,a,t.season);const i=Rs(s);const l={byFitted:new Float64Array(n.length),squares:0};const u={alpha:0,beta:0,gamma:0,
phi:1};const m=t.trend!=="none";const d=t.season!=="none";const c=Fr(t);const f=c+(m?2:1);const p=f+(d?a:0);const h=new Float64Array(
p);const b=new Float64Array(p);const y=new Float64Array(p);Ds(t,ld,h);b.fill(3/Math.sqrt(o),0,c);y.fill(1/ud**2,1,c);const g=Math.
max(.1,r.level);const F=t.relativeError?g:1;const S=(E,x,k,W)=>{h[E]=x;b[E]=k;y[E]=1/W**2};S(c,r.level,.5*r.unit,We.level*
F);if(m)S(c+1,r.slope,.1*r.unit,We.trend*F);const A=t.season==="multiplicative";for(let E=f;E<p;E++){const x=.3*r.unit/(A?
g:1);S(E,r.season[E-f],x,We.season*(A?1:F))}const w=E=>{Ls(t,E,u);s.level[0]=E[c];s.trend[0]=m?E[c+1]:0;for(let x=f;x<p;x++)
s.season[x-f]=E[x];return!(m&&d&&!Ws(u,a))&&Cs(s,u)};const M=(E,x)=>{if(!w(E))return Number.POSITIVE_INFINITY;const k=P=>E[P]-
h[P];let W=md;for(let P=c;P<p;P++)W+=y[P]*k(P)**2;let z=vs(s,t.relativeError,W,l);if(!Number.isFinite(z))return Number.POSITIVE_INFINITY;
Is(s,u,l.byFitted,i);z+=Os(u,n.length,t,a,i);qs(t,E,i,x);x[c]=i.level;if(m)x[c+1]=i.trend;for(let P=f;P<p;P++)x[P]=i.season[P-
f];const fe=2*o/l.squares;for(let P=0;P<p;P++){const Ie=y[P]*k(P);if(P<c)z+=Ie*k(P);x[P]=x[P]+(P<c?2:fe)*Ie}return z};return{
value:M,start:h,steps:b,smoothing:u,path:s,load:w}}var cd=80;var dd=.002;var fd=1;function pd(e,t,r){const n=e.observed-_s(t,e.period);if(n<2)return null;const{value:o,start:a,
steps:s,smoothing:i,path:l,load:u}=Us(e,t,r);const m=Ns(o,a,{steps:s,maxIterations:cd,tolerance:dd});if(!Number.isFinite(
m.value)||!u(m.point))return null;let d=0;for(let h=0;h<l.residual.length;h++){const b=t.relativeError?l.fitted[h]:1;d+=
(l.residual[h]/b)**2}const c=d/(n+1);if(t.relativeError&&c>fd)return null;const f=Fr(t)+1;const p=2*f*(f+1)/(e.observed-
f-1);return{form:t,smoothing:i,path:l,variance:c,freedom:n,aicc:m.value+2*f+p}}function Vs(e,t,r){const n=re(e.values);const o=new Map;
const a=[];for(const s of Es(t,e.period>1)){D(r);const{season:i}=s;const l=i==="none"?1:e.period;if(!o.has(i))o.set(i,xs(
n,l,i));const u=o.get(i);if(!u)continue;const m=pd({...e,period:l},s,s.trend==="none"?u.flat:u.withTrend);if(m)a.push(m)}
return a.sort((s,i)=>s.aicc-i.aicc)}function eo(e,t,r){const{form:n,smoothing:o,path:a}=e;const{alpha:s,beta:i,gamma:l,phi:u}=o;const{period:m}=a;const d=a.
values.length;const c=n.season==="multiplicative";const f=new Float64Array(r);const p=new Float64Array(r);const h=new Float64Array(
r);const b=new Float64Array(r);let y=0;let g=1;for(let A=0;A<r;A++){const w=n.season==="additive"&&A%m===0;b[A]=s+i*y+(w?
l:0);g*=u;y+=g;f[A]=a.level[d]+y*a.trend[d];const M=n.season==="none"?0:a.season[d+A%m];p[A]=c?f[A]*M:f[A]+M}if(!n.relativeError){
let A=1;for(let w=0;w<r;w++){if(w>0)A+=b[w]**2;h[w]=Math.sqrt(t*A)}return{mean:p,deviation:h}}const F=c?f:p;const S=new Float64Array(
r);for(let A=0;A<r;A++){let w=F[A]**2;for(let x=1;x<=A;x++)w+=t*b[x]**2*S[A-x];S[A]=w;const M=c?R(1+l*l*t,Math.floor(A/m)):
1;const E=c?a.season[d+A%m]:1;h[A]=E*Math.sqrt(Math.max(0,(1+t)*M*w-F[A]**2))}return{mean:p,deviation:h}}var hd=4;var bd=.2;var yd=.01;function Gs(e,t){const r=e[0];const{mean:n,deviation:o}=eo(r,r.variance,t);const a=e.map(p=>v(
-.5*(p.aicc-r.aicc)/hd));const s=a.reduce((p,h)=>p+h,0);const i=new Float64Array(t);e.forEach((p,h)=>{const b=a[h]/s;if(b<
yd)return;const{mean:y,deviation:g}=p===r?{mean:n,deviation:o}:eo(p,p.variance,t);for(let F=0;F<t;F++){const S=y[F]-n[F];
i[F]=i[F]+b*(g[F]**2+S*S)}});const{path:l,form:u,freedom:m}=r;const d=Xe(gd(r),l.period);const c=i.map(p=>d*Math.sqrt(p));
const f=Ke(c,rr(l.values),bd);return{center:n,...f,freedom:m,isRelative:u.relativeError}}function gd({path:e,form:t}){const{
values:r,residual:n,fitted:o}=e;return n.map((a,s)=>Number.isNaN(r[s])?Number.NaN:a/(t.relativeError?o[s]:1))}function $s(e,t){
const r=e.filter(l=>!Number.isNaN(l));let n=0;for(let l=1;l<r.length;l++)n+=(r[l]-r[l-1])**2;const o=Math.sqrt(n/(r.length-
1));const a=r[r.length-1];const s=new Float64Array(t).fill(a);const i=s.map((l,u)=>o*Math.sqrt(u+1));return{center:s,above:i,
below:i,freedom:r.length-1,isRelative:false}}var to=2e3;var Ad=12;var Sd=2e4;var Fd=24;var wd=800;var Ys={id:"ets",quantileSupport:{type:"requested"},fit(e,{signal:t}){
const r=e.season>Fd;const n=r?1:Math.max(1,e.season);const o=r?Math.max(to,Math.min(Sd,Ad*e.season)):n>1?wd:to;const{values:a,
scale:s,isPositive:i,isConstant:l}=nt(e.values,o);if(l)return j(e.values.at(-1));const u=yr(a,r?e.season:1,i);const m=u.
adjusted.subarray(Math.max(0,a.length-to));const d=m.reduce((p,h)=>p+(Number.isNaN(h)?0:1),0);const c=m.every(p=>!(p<=0));
const f=Vs({values:m,observed:d,period:n},c,t);return(p,h)=>{Y(h);const b=f.length>0?Gs(f,p):$s(m,p);return at(u.restore(
hr(b,h)),s)}}};var ro={"1min":[60,1440],"5min":[12,288],"15min":[4,96,672],"30min":[48,336],"1h":[24,168],"4h":[6,42],"1D":[7,365],"1W-\
MON":[52],"1MS":[12],"1ME":[12],"1QE":[4],"1YE":[]};var Md={"1min":{regular:[390],extended:[960]},"5min":{regular:[78],extended:[
192]},"15min":{regular:[26],extended:[64]},"30min":{regular:[13],extended:[32]},"1h":{regular:[7],extended:[16]},"4h":{regular:[],
extended:[]},"1D":{regular:[5,252],extended:[5,252]}};var Nd={"1min":[60,1440],"5min":[12,288],"15min":[4,96,480],"30min":[
48,240],"1h":[24,120],"4h":[31],"1D":[6,313]};function It(e){if(typeof e==="string")return ro[e];const{frequency:t,kind:r,
hours:n}=e;if(r==="currency")return Nd[t]??ro[t];const o=r==="exchange"&&(n!==void 0||t==="1D")?Md[t]:void 0;return o?.[n??
"regular"]??ro[t]}var Ed={"1MS":12,"1ME":12,"1QE":4};function _d({frequency:e}){return Ed[e]??1}function no(e,t){return e>
1?e:_d(t)}var xd=1500;var Rd=2;function wr(e,t,r){const n=[];const o=It(e);const a=Math.round(t);for(const s of a>1&&!o.includes(a)?
[a]:o){const i=s%(n.at(-1)??1)===0;if(s>1&&s<=xd&&i&&2*s<=r)n.push(s)}return n.slice(-Rd)}var Id=3;var Hs=4;var Td=1.15;var Pd=4;function Qs(e,t){const r=e.length;let n=0;let o=N(r)+Id;for(let a=Hs;a<=r-Hs;a=Math.
ceil(a*Td)){const s=t.findLast(l=>l*Pd<=r-a)??1;const i=Od(e,r-a,s);if(i>o){o=i;n=r-a}}return n}function Od(e,t,r){const n=new Float64Array(
r);const o=new Float64Array(r);for(let u=0;u<t;u++){if(Number.isNaN(e[u]))continue;n[u%r]=n[u%r]+e[u];o[u%r]=o[u%r]+1}let a=0;
let s=0;let i=0;for(let u=t;u<e.length;u++){const m=e[u];if(Number.isNaN(m))continue;const d=(n[u%r]+.5)/(o[u%r]+1);i+=N(
m>0?d:1-d);a+=m;s++}const l=(a+.5)/(s+1);return a*N(l)+(s-a)*N(1-l)-i}function Bs(e,t){const r=Array.from(e,(n,o)=>o).sort((n,o)=>e[n]-e[o]||n-o);return{values:Float64Array.from(r,n=>e[n]),weights:Float64Array.
from(r,n=>t[n])}}function js(e,t){if(e.values.length<=t)return e;const r=st(e.weights);const n=new Float64Array(t);let o=0;
let a=e.weights[0];for(let s=0;s<t;s++){const i=r*(s+.5)/t;while(a<i&&o<e.values.length-1)a+=e.weights[++o];n[s]=e.values[o]}
return{values:n,weights:new Float64Array(t).fill(r/t)}}function Mr(e,t,r,n){const o=e.values.length+r.values.length;const a=new Float64Array(
o);const s=new Float64Array(o);for(let i=0,l=0,u=0;u<o;u++){const m=l>=r.values.length||i<e.values.length&&e.values[i]<=
r.values[l];a[u]=m?e.values[i]:r.values[l];s[u]=m?t*e.weights[i]:n*r.weights[l];if(m)i++;else l++}return{values:a,weights:s}}
function Xs({values:e,weights:t},r){const n=st(t);return Float64Array.from(r,o=>{let a=0;for(let s=0;s<e.length;s++){a+=
t[s];if(a>=o*n)return e[s]}return e[e.length-1]})}function st(e){let t=0;for(const r of e)t+=r;return t}function Tt(e,t){const r=[1,...e];return{periods:r,decays:r.map(n=>R(.5,n/t)),sums:r.map(n=>new Float64Array(n)),weights:r.
map(n=>new Float64Array(n))}}function Pt({periods:e,decays:t,sums:r,weights:n},o,a){const s=!Number.isNaN(a);for(let i=0;i<
e.length;i++){const l=o%e[i];const u=r[i];const m=n[i];const d=t[i];u[l]=d*u[l]+(s?a:0);m[l]=d*m[l]+(s?1:0)}}function vd(e,t,r,n,o){
if(n===Number.POSITIVE_INFINITY)return o;const a=r%e.periods[t];const s=e.weights[t]?.[a];return(e.sums[t]?.[a]+n*o)/(s+
n)}function Ue(e,t,r,n){return n.reduce((o,a,s)=>vd(e,s+1,t,a,o),r)}var Ks=[3,10,30,100,300,1e3,1e6];var kd=[1,4,16,Number.
POSITIVE_INFINITY];function Nr(e,t){let r=[[]];for(const o of e)r=r.flatMap(a=>kd.map(s=>[...a,s]));const n=Ks.at(-1);return Ks.
filter(o=>o<t||o===n).map(o=>r.map(a=>({halfLife:o,strengths:a})))}var zs=1e-4;var Cd=1e-200;var Ld=.01;function Js(e,t,r,n){const o=Nr(t,e.length).flatMap(u=>{D(n);return Dd(e,t,r,u)});const a=Math.
max(...o.map(({likelihood:u})=>u));const s=o.map(u=>({...u,share:v(u.likelihood-a)}));const i=s.filter(({share:u})=>u>=Ld);
const l=i.reduce((u,{share:m})=>u+m,0);return u=>i.reduce((m,{share:d,sums:c,smoothing:f})=>{return m+d/l*Ue(c,u,Zs(c),f.
strengths)},0)}function Dd(e,t,r,n){const o=Tt(t,n[0]?.halfLife);const a=new Float64Array(n.length).fill(1);const s=new Float64Array(
n.length);const i=e.length;for(let l=0;l<i+r;l++){if(l>=r)Pt(o,l-r,e[l-r]);const u=e[l];if(l>=i||Number.isNaN(u))continue;
const m=Zs(o);for(let d=0;d<n.length;d++){const c=Ue(o,l,m,n[d].strengths);const f=Math.max(zs,Math.min(1-zs,c));const p=a[d]*
(u>0?f:1-f);const h=p<Cd;if(h)s[d]=s[d]+N(p);a[d]=h?1:p}}return n.map((l,u)=>({smoothing:l,likelihood:s[u]+N(a[u]),sums:o}))}
function Zs({sums:e,weights:t}){return(e[0]?.[0]+.5)/(t[0]?.[0]+1)}var qd=30;function ti(e,t,r,n){let o;let a=Number.POSITIVE_INFINITY;for(const c of Nr(t,e.length)){D(n);const f=new Float64Array(
c.length);ei(e,t,r,c,(p,h,b)=>{f[h]=f[h]+b*b});c.forEach((p,h)=>{if(o!==void 0&&!(f[h]<a))return;o=p;a=f[h]})}const{halfLife:s,
strengths:i}=o;const l=[];const u=[];const m=Tt(t,s);e.forEach((c,f)=>{Pt(m,f,c)});const d=e.reduce((c,f)=>c+(Number.isNaN(
f)?0:1),0);if(d>=qd&&s<e.length/2){ei(e,t,r,[{halfLife:s,strengths:i}],(c,f,p)=>{u.push(c);l.push(p)})}else{const c=oo(m);
e.forEach((f,p)=>{if(Number.isNaN(f))return;u.push(p);l.push(f-Ue(m,p,c,i))})}return{middle:c=>Ue(m,c,oo(m),i),distances:Float64Array.
from(l),times:Float64Array.from(u),halfLife:s}}function ei(e,t,r,n,o){const a=Tt(t,n[0]?.halfLife);const s=e.length;for(let i=0;i<
s+r;i++){if(i>=r)Pt(a,i-r,e[i-r]);const l=e[i];if(i>=s||Number.isNaN(l)||!(a.weights[0]?.[0]>0))continue;const u=oo(a);for(let m=0;m<
n.length;m++){o(i,m,l-Ue(a,i,u,n[m].strengths))}}}function oo({sums:e,weights:t}){return e[0]?.[0]/t[0]?.[0]}var Wd=120;var Ud=10;var Vd=300;var Gd=[-.4,-.2,0,.2,.4];var $d=1e6;function ri(e,t,r,n){const o=Yd(e);const a=e.map(c=>c>
0||c<0?o.to(c):Number.NaN);const s=ti(a,t,r,n);const i=t[0]??1;const l=Math.max(s.halfLife,Vd);const u=c=>{const f=[];const p=[];
s.times.forEach((h,b)=>{if(c!==null&&h%i!==c)return;const y=R(.5,(e.length-h)/l)/o.offsets.length;for(const g of o.offsets){
const F=g===0?0:o.to(e[h]+g)-a[h];f.push(s.distances[b]+F);p.push(y)}});return js(Bs(f,p),Wd)};const m=u(null);const d=new Map;
return c=>{let f=m;if(i>1){const h=c%i;const b=d.get(h)??u(h);d.set(h,b);f=Mr(b,1,m,Ud/st(m.weights))}const p=s.middle(c);
return{values:f.values.map(h=>o.from(p+h)),weights:f.weights}}}function Yd(e){const t=e.every(o=>Number.isNaN(o)||Number.
isInteger(o)&&Math.abs(o)<$d);if(e.every(o=>!(o<0))){return t?{to:N,from:o=>Math.max(1,Math.round(v(o))),offsets:Gd}:{to:N,
from:o=>Math.min(Number.MAX_VALUE,v(o)),offsets:[0]}}const r=e.reduce((o,a)=>Math.abs(a)>o?Math.abs(a):o,0);const n=o=>Math.
max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,o*r));return{to:o=>o/r,from:t?o=>Math.round(n(o)):n,offsets:[0]}}var Hd=4e3;var ni={id:"intermittent",quantileSupport:{type:"requested"},fit(e,{signal:t}){const r=Qd(e.values);const n=r[0];
if(r.every(a=>Number.isNaN(a)||a===n))return j(n);const o=wr(e.cadence,e.season,r.length);return(a,s)=>{Y(s);return Bd(r,
o,a,s,t)}}};function Qd(e){const t=e.subarray(Math.max(0,e.length-Hd));const r=t.findIndex(n=>!Number.isNaN(n));if(r<0)throw new I(
"INSUFFICIENT_HISTORY","intermittent needs an observation.");if(t.some(n=>Math.abs(n)===Number.POSITIVE_INFINITY)){throw new I(
"INVALID_SERIES","The series holds an infinite value.")}return t.subarray(r)}function Bd(e,t,r,n,o){const a=e.map(y=>Number.
isNaN(y)?y:y===0?0:1);const s=Qs(a,t);const i=e.subarray(s);const l=t.filter(y=>2*y<=i.length);const u=Math.max(1,Math.min(
Math.ceil(r/2),Math.floor(i.length/4)));const m=Js(a.subarray(s),l,u,o);const d=i.some(y=>y>0||y<0);const c=d?s:0;const f=ri(
e.subarray(c),l,u,o);const p=a.includes(0);const h=l.at(-1)??1;const b=new Map;return Array.from({length:r},(y,g)=>{const F=i.
length+g;const S=F%h;let A=b.get(S);if(A===void 0){const w=p?m(F):1;const M=f(e.length-c+g);const E={values:Float64Array.
of(0),weights:Float64Array.of(1-w)};A=Xs(Mr(E,1,M,w/st(M.weights)),n);b.set(S,A)}return A.slice()})}var oi=1;function Er(e,t){return{periods:e,decays:e.map(r=>R(.5,r/t)),sums:e.map(r=>new Float64Array(r)),weights:e.map(r=>new Float64Array(
r))}}function _r({periods:e,decays:t,sums:r,weights:n},o,a){const s=!Number.isNaN(a);for(let i=0;i<e.length;i++){const l=o%
e[i];const u=r[i];const m=n[i];const d=t[i];u[l]=d*u[l]+(s?a:0);m[l]=d*m[l]+(s?1:0)}}function ao({periods:e,sums:t,weights:r},n){
const o=t[0].map((y,g)=>y/(r[0]?.[g]+oi));if(e.length===1)return o;const[a,s]=e;const i=r[1];const l=new Float64Array(s);
for(let y=0,g=0;y<s;y++,g=g+1===a?0:g+1){l[y]=t[1]?.[y]-i[y]*o[g]}const{reach:u,strength:m}=n;const d=m<Number.POSITIVE_INFINITY;
const c=new Float64Array(s);let f=0;let p=0;for(let y=s-u;y<=s+u;y++){f+=l[y%s];p+=i[y%s]}let h=(s-u)%s;let b=(u+1)%s;for(let y=0,
g=0;y<s;y++,g=g+1===a?0:g+1){const F=f/(p+oi);const S=d?(l[y]+m*F)/(i[y]+m):F;c[y]=o[g]+S;f+=l[b]-l[h];p+=i[b]-i[h];h=h+
1===s?0:h+1;b=b+1===s?0:b+1}return c}function it(e,t){const r=re(e);const n=r.length;const o=t>>1;const a=new Float64Array(
n+1);for(let s=0;s<n;s++)a[s+1]=a[s]+r[s];return r.map((s,i)=>{const l=Math.max(0,Math.min(n-t,i-o));const u=Math.min(n,
l+t);return(a[u]-a[l])/(u-l)})}var jd=36;var Xd=1e3;var Kd=[3,8,1e6];var zd=[.02,.08];var Jd=[1,4,16,Number.POSITIVE_INFINITY];function si(e,t,r){const n=ii(
e.length,t).filter((l,u)=>u%2===0);const o=t.at(-1);const a=t.length===1?[{reach:0,strength:0}]:zd.flatMap(l=>Jd.map(u=>({
reach:Math.ceil(l*o),strength:u})));let s;let i=Number.POSITIVE_INFINITY;for(const l of Kd){D(r);const u=l*o;const m=new Float64Array(
a.length);ui(e,t,u,n,(d,c,f)=>{for(let p=0;p<a.length;p++){const h=ao(d,a[p]);let b=0;for(let y=c,g=c%o;y<f;y++){const F=Math.
abs(e[y]-h[g]);if(F>=0)b+=F;g=g+1===o?0:g+1}m[p]=m[p]+b}});a.forEach((d,c)=>{if(s!==void 0&&!(m[c]<i))return;s={halfLife:u,
...d};i=m[c]})}return so(e,t,s)}function so(e,t,r){const n=ii(e.length,t);const o=t[0];const a=new Float64Array(o);const s=new Float64Array(
o);const i=[];ui(e,t,r.halfLife,n,(l,u,m)=>{const d=ao(l,r);i.push({origin:u,profile:d});for(let c=u;c<m;c++){const f=Math.
abs(e[c]-d[c%d.length]);if(Number.isNaN(f))continue;a[c%o]=a[c%o]+f;s[c%o]=s[c%o]+1}});return{snapshots:i,usual:ef(a,s),
settings:r}}function ii(e,t){const r=t[0];const n=Math.max(t.at(-1),Math.min(Math.floor(e/2),3*t.at(-1)));const o=Math.max(
n,e-Xd);let a=Math.max(1,Math.ceil((e-o)/jd));while(a>1&&r>2&&li(a,r)>1)a++;const s=[];for(let i=e;i>=o;i-=a)s.push(i);return s.
reverse()}function li(e,t){return t===0?e:li(t,e%t)}function ui(e,t,r,n,o){const a=Er(t,r);let s=0;for(let i=0;i<=e.length;i++){
if(i===n[s])o(a,i,n[++s]??i);if(i<e.length)_r(a,i,e[i])}}var ai=6;var Zd=.1;function ef(e,t){const r=e.reduce((a,s)=>a+s,
0);const n=t.reduce((a,s)=>a+s,0);if(!(r>0))return e.fill(1);const o=r/n;return e.map((a,s)=>{const i=(a+ai*o)/(t[s]+ai);
return Math.max(Zd,i/o)})}var tf=2.5;var rf=1.4826;function mi(e,t,{snapshots:r,usual:n}){const o=r[r.length-1]?.profile;const a=t.map((u,m)=>u+o[m%
o.length]);const s=u=>n[u%n.length];const i=e.map((u,m)=>Math.abs(u-a[m])/s(m));const l=tf*rf*ne(i.filter(u=>!Number.isNaN(
u)).sort(),.5);if(!(l>0))return e;return e.map((u,m)=>{const d=l*s(m);return Math.max(a[m]-d,Math.min(a[m]+d,u))})}var io=[.3,.1,.04,.015,.006];var lo=[1,.5,.25];var uo=[0,.5,.7,.8,.9,.95,.98,.995];var nf=[1,0,4];var of=5;var af=700;var sf=60;
function xr(e,{origin:t,profile:r},n){const o=Math.max(0,t-Math.min(af,Math.ceil(of/n)));let a=0;let s=0;for(let i=o;i<t;i++){
const l=e[i]-r[i%r.length];s*=1-n;a*=1-n;if(Number.isNaN(l))continue;s+=n;a+=n*l}return s>1e-12?a/s:0}function ci(e,t,r,n){
const o=Math.min(n,sf);const a=r.slice(0,-1);const s=a.map(h=>io.map(b=>xr(e,h,b)));const i=a.map(h=>lo.map(b=>xr(e,h,b)));
const l=a.map(({origin:h,profile:b})=>Float64Array.from({length:o},(y,g)=>h+g<e.length?t[h+g]-b[(h+g)%b.length]:Number.NaN));
const u=uo.map(h=>Float64Array.from({length:o},(b,y)=>R(h,y+1)));let m=nf;let d=Number.POSITIVE_INFINITY;for(let h=0;h<io.
length;h++)for(let b=0;b<lo.length;b++)for(let y=0;y<uo.length;y++){let g=0;for(let F=0;F<a.length;F++){const S=s[F]?.[h];
const A=i[F]?.[b]-S;const w=l[F];const M=u[y];for(let E=0;E<o;E++){const x=Math.abs(w[E]-S-A*M[E]);if(x>=0)g+=x}}if(a.length>
0&&g<d){d=g;m=[h,b,y]}}const[c,f,p]=m;return{settings:{level:io[c],recent:lo[f],keep:uo[p]},errors:l.map((h,b)=>{const y=s[b]?.[c];
const g=i[b]?.[f]-y;return h.map((F,S)=>F-y-g*u[p]?.[S])}),origins:a.map(({origin:h})=>h)}}function di(e,t,r,n){const o=t[t.
length-1];const a=xr(e,o,r.level);const s=xr(e,o,r.recent)-a;return Float64Array.from({length:n},(i,l)=>a+s*R(r.keep,l+1)+
o.profile[(o.origin+l)%o.profile.length])}var lf=8;var uf=.8838;var mf=1.1;var cf=20;var mo=4;function fi(e,t,r,n){const o=df(e,t,r,n);const a=i=>t[i%t.length];const s=[];
e.errors.forEach((i,l)=>{for(let u=0;u<i.length;u++){const m=o[u]*a(e.origins[l]+u)/a(r+u);const d=i[u]/m;if(Number.isFinite(
d))s.push(d)}});return{spread:o,errors:Float64Array.from(s).sort(),origins:e.origins.length}}function pi({errors:e,origins:t},r){
const n=e.length>0?t/(t+cf):0;return r.map(o=>{const a=n>0?n*ne(e,o):0;return a+(1-n)*ot(o,lf)})}function df({errors:e,origins:t},r,n,o){
const a=e[0]?.length??0;const s=new Float64Array(a);const i=new Float64Array(a);let l=0;let u=0;e.forEach((c,f)=>{for(let p=0;p<
a;p++){const h=Math.abs(c[p])/r[(t[f]+p)%r.length];if(Number.isNaN(h))continue;s[p]=s[p]+h;i[p]=i[p]+1;l+=h;u++}});const m=u>
0?l/u:0;const d=ff(s.map((c,f)=>(c+mo*m)/(i[f]+mo)),i.map(c=>c+mo));return Float64Array.from({length:o},(c,f)=>{const p=d[Math.
min(f,a-1)]??0;return p*r[(n+f)%r.length]*mf/uf})}function ff(e,t){const r=[];e.forEach((n,o)=>{let a={mean:n,weight:t[o],
length:1};for(let s=r.at(-1);s!==void 0&&s.mean>a.mean;s=r.at(-1)){r.pop();const i=s.weight+a.weight;a={mean:(s.mean*s.weight+
a.mean*a.weight)/i,weight:i,length:s.length+a.length}}r.push(a)});return Float64Array.from(r.flatMap(({mean:n,length:o})=>Array.
from({length:o},()=>n)))}var pf={to:e=>e,from:e=>e};var hf={to:N,from:v};var bf={to:Math.sqrt,from:e=>e>0?e*e:0};var hi={to:e=>e,from:e=>Math.max(
0,e)};function bi(e){let t=Number.POSITIVE_INFINITY;for(const r of e)if(r<t)t=r;if(t>0)return[hi,hf];return t===0?[hi,bf]:
[pf]}var po=8;var yf=[0,3,po];var gf=[Number.POSITIVE_INFINITY,1];var Af=6;var fo=864e5;var yi=365.25;var co=372;var Sf=365;var Ff=10;
var wf=.1;function gi(e,t,r,n){const{times:o,cadence:a,week:s}=t;const i=e.length;const l=Math.round(i*yi*fo/(o[i-1]-o[0]+
fo));if(!(i>=2*l))return null;const u=Mf(e,it(e,l),s);const m=new Float64Array(i+r);m.set(o);m.set(Nf(a,o[i-1],r),i);const d=Ef(
m);const c=Int32Array.from(m,_f);const f=Math.max(l,i-3*l);const p=yf.flatMap(A=>gf.map(w=>({pairs:A,strength:w})));const h=p.
map(()=>new Float64Array(i+r));const b=xf();const y=Math.ceil((i-f)/Ff);for(let A=0;A<=i;A++){if(A===i||A>=f&&(A-f)%y===
0){D(n);const w=A===f?0:A;const M=A===i?i+r:Math.min(i,A+y);p.forEach((E,x)=>{If(b,E,d,c,w,M,h[x])})}if(A===i||Number.isNaN(
u[A]))continue;Rf(b,d,c[A],A,u[A],R(.5,(i-A)/(Af*l)))}const g=h.map(A=>{let w=0;for(let M=f;M<i;M++){const E=Math.abs(u[M]-
A[M]);if(E>=0)w+=E}return w});const F=g.reduce((A,w,M)=>w<g[A]?M:A,0);if(!(g[F]<(1-wf)*g[0]))return null;const S=h[F];return{
past:S.subarray(0,i),future:S.subarray(i)}}function Mf(e,t,r){const n=it(e,r);const o=Er([r],Sf);return e.map((a,s)=>{const i=s%
r;const l=o.sums[0]?.[i]/(o.weights[0]?.[i]+1);_r(o,s,a-n[s]);return a-t[s]-l})}function Nf(e,t,r){try{return ke(e,t,r)}catch(n){
if(n instanceof V)throw new I("INVALID_SERIES",n.message);if(n instanceof RangeError)throw new I("UNSUPPORTED_HORIZON",n.
message);throw n}}var J=2*po+1;function Ef(e){const t=new Float64Array(e.length*J);e.forEach((r,n)=>{const o=2*Math.PI*(r/
fo)/yi;const a=ye(o);const s=qe(o);let i=1;let l=0;t[n*J]=1;for(let u=1;u<=po;u++){const m=i*a-l*s;l=i*s+l*a;i=m;t[n*J+2*
u-1]=i;t[n*J+2*u]=l}});return t}function _f(e){const t=new Date(e);return t.getUTCMonth()*31+t.getUTCDate()-1}function xf(){
return{products:new Float64Array(J*J),targets:new Float64Array(J),sums:new Float64Array(co),weights:new Float64Array(co),
years:new Float64Array(co)}}function Rf(e,t,r,n,o,a){const s=n*J;for(let i=0;i<J;i++){const l=a*t[s+i];e.targets[i]=e.targets[i]+
l*o;for(let u=0;u<=i;u++){e.products[i*J+u]=e.products[i*J+u]+l*t[s+u]}}e.sums[r]=e.sums[r]+a*o;e.weights[r]=e.weights[r]+
a;e.years[r]=e.years[r]+1}function If({products:e,targets:t,sums:r,weights:n,years:o},{pairs:a,strength:s},i,l,u,m,d){const c=2*
a+1;const f=new Float64Array(c*c);const p=t.slice(0,c);for(let h=0;h<c;h++)for(let b=0;b<=h;b++)f[h*c+b]=e[h*J+b]+(h===b?
.001*e[0]:0);if(!Ft(f,p,c))p.fill(0);if(a===0)p.fill(0);for(let h=u;h<m;h++){let b=0;for(let S=1;S<c;S++)b+=p[S]*i[h*J+S];
const y=l[h];const g=o[y];const F=g>0?r[y]/n[y]-b:0;d[h]=b+(s===Number.POSITIVE_INFINITY?0:F*g/(g+s))}}var Tf=4e3;var Pf=8e3;var Si={id:"mstl",quantileSupport:{type:"requested"},fit(e,{signal:t}){const r=e.cadence.frequency===
"1D";const n=r?Pf:Tf;const{values:o,scale:a,isConstant:s}=nt(e.values,n);if(s)return j(e.values.findLast(m=>!Number.isNaN(
m)));const i=wr(e.cadence,e.season,o.length);const l=e.values.findLastIndex(m=>!Number.isNaN(m))+1;const u=r?{times:e.times.
subarray(l-o.length,l),cadence:e.cadence,week:i[0]??1}:null;return(m,d)=>{Y(d);const c=bi(o).map(g=>Of(g,o,i,u,m,t));const{
on:f,center:p,past:h}=c.reduce((g,F)=>F.error<g.error?F:g);const b=pi(h,d);const y=Array.from(p,(g,F)=>Float64Array.from(
b,S=>f.from(g+S*h.spread[F])));return at(y,a)}}};function Of(e,t,r,n,o,a){const s=t.map(e.to);const i=n&&gi(s,n,o,a);const l=i===
null?s:s.map((y,g)=>y-i.past[g]);const u=r.length>0?r:[1];const m=u.at(-1);const d=it(l,m);const c=si(Ai(l,d),u,a);const f=mi(
l,d,c);const p=f===l?c:so(Ai(f,it(f,m)),u,c.settings);const h=ci(f,l,p.snapshots,o);const b=di(f,p.snapshots,h.settings,
o);return{on:e,center:i===null?b:b.map((y,g)=>y+i.future[g]),past:fi(h,p.usual,l.length,o),error:vf(e,t,s,h)}}function Ai(e,t){
return e.map((r,n)=>r-t[n])}function vf(e,t,r,{errors:n,origins:o}){let a=0;n.forEach((s,i)=>{for(let l=0;l<s.length;l++){
const u=o[i]+l;const m=s[l];if(!Number.isNaN(m))a+=Math.abs(t[u]-e.from(r[u]-m))}});return a}var Fi=Array.from({length:20},(e,t)=>(t+1)/20);var kf=3;function Mi(e,t){const r=Fi.map(m=>wi(e,m).squares);const n=Math.
max(Math.min(...r),1e-300);let o=0;let a=0;Fi.forEach((m,d)=>{const c=R(Math.max(r[d],n)/n,-e.length/2);const f=c*R(m,kf);
o+=f;a+=f*m});const s=a/o;const{level:i,squares:l}=wi(e,s);const u=Math.max(e.length-3-t,e.length/2);return{level:i,share:s,
errorDeviation:Math.sqrt(l/u)}}function wi(e,t){let r=0;let n=0;for(const o of e){const a=o-r;n+=a*a;r+=t*a}return{level:r,
squares:n}}var Rr=300;var Cf={seed:1,tolObj:1e-6,tolRelObj:1e8,tolParam:1e-7};var Lf=[[1,Rr],[.1,Rr],[.3,Rr],[.03,Rr],[.1,60],[.1,20],
[.3,8]];function Ni(e,t){const r=JSON.stringify(t);const n=t.y[0];const o=t.y[t.T-1];const a=s=>({k:o-n,m:n,delta:new Float64Array(
t.S),beta:new Float64Array(t.K),sigmaObs:s});for(const[s,i]of Lf){try{const{params:l}=e.optimize(a(s),r,{...Cf,iter:i});
if(Df(l))return l}catch(l){if(!(l instanceof Error))throw l}}throw new I("NOT_CONVERGED","The search for the parameters \
of prophet did not converge.")}function Df(e){const{k:t,m:r,sigmaObs:n,delta:o,beta:a}=e;return[t,r,n,...o,...a].every(Number.
isFinite)&&n>=0}var Ir=7;var lt=365.25;function xi(e,t){if(e<2)return[];const r=_i(t,e);const n=_i(t,1);if(r===null||n===null)return[];const o=n/
_;const a=(t[t.length-1]-t[0])/_+o;const s=qf(r/_);const i=[{periodDays:s,order:Ei(e)}];const l=u=>({periodDays:u,order:Ei(
Wf(t,u*_))});if(s===lt&&o<=1.5)i.push(l(Ir));if(s===Ir&&o<=.5)i.push(l(1));if(s===Ir&&o>=.9)i.push({periodDays:lt,order:6});
return i.filter(({periodDays:u,order:m})=>m>0&&a>=1.95*u)}function Ei(e){if(e<=7)return Math.floor(e/2);return e<=12?4:e<=
60?6:8}function qf(e){const t=[Ir,lt/12,lt/4,lt/2,lt];return t.find(r=>Math.abs(e-r)<.05*r)??e}function ho(e,t){const r=[];
for(const{periodDays:n,order:o}of t){const a=2*Math.PI*e/_/n;for(let s=1;s<=o;s++)r.push(qe(s*a),ye(s*a))}return r}function _i(e,t){
const r=e.length-t;if(r<1)return null;return Ri(Float64Array.from({length:r},(n,o)=>e[o+t]-e[o]))}function Wf(e,t){let r=0;
const n=Float64Array.from(e,(o,a)=>{while(r<e.length&&e[r]<o+t)r++;return r-a});return Ri(n)}function Ri(e){return e.sort()[e.
length>>1]}var Tr={changepointPrior:.05,changepointRange:.9};var Uf=25;var Vf=.15;function Pr(e,t,r,n){const o=t.units.length;const a=t.
times[0];const s=t.times[o-1]-a;const i=Array.from(t.times,S=>(S-a)/s);const l=Gf(i,n.changepointRange);const u=r.length>
0;const m=Array.from(t.times,S=>u?ho(S,r):[0]);const d=m[0].length;const{k:c,m:f,delta:p,beta:h}=Ni(e,{T:o,y:Array.from(
t.units),t:i,cap:new Array(o).fill(0),S:l.length,t_change:l,trend_indicator:0,K:d,s_a:new Array(d).fill(1),s_m:new Array(
d).fill(0),X:m,sigmas:new Array(d).fill(Vf),tau:n.changepointPrior});let b=c;let y=f+c;let g=0;for(let S=0;S<l.length;S++){
b+=p[S];y+=p[S]*(1-l[S]);g+=Math.abs(p[S])}const F=Float64Array.from(t.units,(S,A)=>{const w=i[A];const M=l.reduce((E,x,k)=>E+
p[k]*Math.max(0,w-x),f+c*w);return S-M-Ii(m[A],h)});return{startMs:a,spanMs:s,level:y,growth:b,changeRate:l.length,changeSize:g/
Math.max(1,l.length),carried:Mi(F,u?d:0),seasonal:S=>Ii(ho(S,r),h)}}function Ii(e,t){return e.reduce((r,n,o)=>r+n*t[o],0)}
function Gf(e,t){const r=Math.floor(e.length*t);const n=Math.min(Uf,r-1,Math.ceil(e.length/3));if(n<1)return[0];return Array.
from({length:n},(o,a)=>e[Math.round((a+1)*(r-1)/n)])}function bo(e){let t=e>>>0;const r=()=>{t=t+2654435769|0;let l=t^t>>>16;l=Math.imul(l,569420461);l=l^l>>>15;l=Math.imul(
l,1935289751);return l^l>>>15|0};let n=r();let o=r();let a=r();let s=r();const i=()=>{const l=Math.imul(o,5);const u=Math.
imul(l<<7|l>>>25,9);const m=o<<9;a^=n;s^=o;o^=a;n^=s;a^=m;s=s<<11|s>>>21;return u>>>0};return{uniform:()=>((i()>>>5)*67108864+
(i()>>>6))/9007199254740992}}var Or=500;function Ot(e,t,r){const n=new Float64Array(r.length);let o=e.level+e.carried.level;let a=e.growth;let s=e.startMs+
e.spanMs;for(let i=0;i<r.length;i++){const l=r[i];a*=t;o+=a*(l-s)/e.spanMs;n[i]=o+e.seasonal(l);s=l}return n}function vr(e,t,r,n){
const{share:o,errorDeviation:a}=e.carried;const s=bo(n);const i=Array.from(r,()=>new Float64Array(2*Or));const l=new Float64Array(
Or);const u=new Float64Array(Or);let m=e.startMs+e.spanMs;for(let d=0;d<r.length;d++){const c=i[d];const f=(r[d]-m)/e.spanMs;
const p=Math.min(e.changeRate*f,20);const h=v(-p);m=r[d];for(let b=0;b<Or;b++){let y=l[b]*t;for(let A=$f(p,h,s.uniform());A>
0;A--){y+=Yf(e.changeSize,s.uniform())}l[b]=y;const g=u[b]+y*f;const F=a*gs(s);const S=g+F;u[b]=g+o*F;c[2*b]=S;c[2*b+1]=
-S}c.sort()}return i}function $f(e,t,r){let n=t;let o=n;let a=0;while(r>o&&a<50){a++;n*=e/a;o+=n}return a}function Yf(e,t){
const r=t-.5;return-e*Math.sign(r)*N(Math.max(1e-300,1-2*Math.abs(r)))}function vi(e,t,r,n,o){const a=Bf(t.units.length,r);const s=a.flatMap(([u,m])=>{D(o.signal);return Hf(e,t,u,m,n)??[]});const i=Kf(
s);const l=Zf(s,i,o.seed);return{damping:i,widening:l,rows:t.units.length}}function Hf(e,t,r,n,o){const a=t.units.subarray(
0,r);if(a.every(l=>l===a[0]))return null;const s={times:t.times.subarray(0,r),units:a};const i={times:t.times.subarray(r,
r+n),units:t.units.subarray(r,r+n)};try{return{trend:Pr(e,s,o,Tr),after:i}}catch(l){if(l instanceof I&&l.code==="NOT_CON\
VERGED")return null;throw l}}var Qf=200;function Bf(e,t){const r=Math.min(Math.max(6,Math.ceil(1.5*t)),30,Math.floor(e/4));
const n=Math.max(8,t>1&&e-r>=2*t?2*t:0);if(r<2||e-r<n)return[];const o=Math.max(n,e-2*r);return e>Qf||o>=e-r-1?[[e-r,r]]:
[[e-r,r],[o,r]]}function jf(e,t){let r=0;let n=0;for(const{trend:o,after:a}of e){const s=Ot(o,t,a.times);for(let i=0;i<s.
length;i++){r+=Math.abs(a.units[i]-s[i]);n++}}return r/n}var Ti=[.7,.8,.9,1];var Xf=3;function Kf(e){const t=Ti.map(a=>e.
length>0?Math.max(jf(e,a),1e-12):1);const r=Math.min(...t);const n=t.map(a=>R(r/a,Xf));const o=n.reduce((a,s)=>a+s,0);return Ti.
reduce((a,s,i)=>a+s*n[i]/o,0)}var Pi=1.2;var Oi=24;var zf=.7;var Jf=2;function Zf(e,t,r){const n=[];for(const{trend:l,after:u}of e){
const m=Ot(l,t,u.times);const d=vr(l,t,u.times,r);for(let c=0;c<m.length;c++){const f=ne(d[c],.9);n.push(Math.abs(u.units[c]-
m[c])/Math.max(f,1e-9))}}if(n.length===0)return Pi;const o=Float64Array.from(n).sort();const a=Math.min(o.length,Math.ceil(
.8*(o.length+1)));const s=o[a-1];const i=(n.length*s+Oi*Pi)/(n.length+Oi);return Math.min(Math.max(i,zf),Jf)}function kr(e,t){if(e.some(i=>!(i>0)))return Number.NEGATIVE_INFINITY;const r=t>1&&e.length>2*t?t:1;const n=Math.max(0,e.
length-r);const o=new Float64Array(n);const a=new Float64Array(n);let s=0;for(let i=0;i<n;i++){const l=e[i+r];const u=e[i];
o[i]=l-u;a[i]=N(l)-N(u);s+=N(l)}return n/2*(ki(o)-ki(a))-s}function ki(e){let t=0;for(const o of e)t=Math.max(t,Math.abs(
o));if(!(t>0))return Number.NEGATIVE_INFINITY;const r=e.reduce((o,a)=>o+a/t,0)/e.length;const n=e.reduce((o,a)=>o+(a/t-r)**
2,0)/e.length;return N(n)+2*N(t)}var Ci=6;function Li(e,t){const r=kr(e,t)>=0;const n=r?N:i=>i;let o=Number.POSITIVE_INFINITY;let a=Number.NEGATIVE_INFINITY;
for(const i of e){o=Math.min(o,n(i));a=Math.max(a,n(i))}const s=a-o;if(!(s>1e-12*Math.max(Math.abs(o),Math.abs(a),r?1:0))||
s<1e-290)return null;return{isLog:r,toUnit:i=>(n(i)-o)/s,fromUnit:i=>{const l=o+Math.min(Math.max(i,-Ci),1+Ci)*s;return r?
v(Math.min(Math.max(l,-700),700)):l}}}var Di=1e150;var Vi=1500;var qi=4;function Gi(e){return{id:"prophet",quantileSupport:{type:"requested"},fit:(t,r)=>ep(e,
t,r)}}function ep(e,t,r){D(r.signal);const{times:n,values:o}=rp(t);if(o.length<qi){throw new I("INSUFFICIENT_HISTORY",`p\
rophet needs at least ${qi} observations.`)}const a=Math.max(1,Math.round(t.season));const s=Li(o,a);if(s===null)return j(
o[o.length-1]);Ui(t,1);const i={times:n,units:o.map(s.toUnit)};const l=xi(a,t.times.subarray(-Vi));const u=r.earlierFit&&
Wi.get(r.earlierFit);const m=u!==void 0&&i.units.length<=tp*u.rows?u:vi(e,i,a,l,r);const{damping:d,widening:c}=m;D(r.signal);
const f=Pr(e,i,l,Tr);D(r.signal);const p=(h,b)=>{Y(b);const y=Ui(t,h);const g=Ot(f,d,y);const F=vr(f,d,y,r.seed);return F.
map((S,A)=>Float64Array.from(b,w=>s.fromUnit(g[A]+c*ne(S,w))))};Wi.set(p,m);return p}var Wi=new WeakMap;var tp=1.5;function rp(e){
const t=Math.max(0,e.values.length-Vi);const r=[];const n=[];for(let o=t;o<e.values.length;o++){const a=e.values[o];if(Number.
isNaN(a))continue;if(!(Math.abs(a)<=Di)){throw new I("INVALID_SERIES",`prophet takes values up to ${Di}, got ${a}.`)}r.push(
e.times[o]);n.push(a)}return{times:Float64Array.from(r),values:Float64Array.from(n)}}function Ui({cadence:e,times:t},r){
const n=t[t.length-1];try{return ke(e,n,r)}catch(o){if(o instanceof V){throw new I("INVALID_SERIES",`The series does not\
 end on a timestamp of its cadence. ${o.message}`)}if(o instanceof RangeError){throw new I("UNSUPPORTED_HORIZON",`There \
are no dates for ${r} steps ahead. ${o.message}`)}throw o}}var $i=1e150;var yo={id:"seasonal_naive",quantileSupport:{type:"requested"},fit(e,t){D(t.signal);return np(e)}};function np(e){
const{values:t}=e;const r=t.filter(i=>!Number.isNaN(i));if(r.length<1)throw new I("INSUFFICIENT_HISTORY","seasonal_naive\
 needs an observation.");if(r.some(i=>!(Math.abs(i)<=$i))){throw new I("INVALID_SERIES",`seasonal_naive takes values up \
to ${$i}.`)}const n=Math.max(1,Math.round(e.season));const o=t.length>n?n:1;const a=op(t,o);const s=Yi(t,o)??Yi(t,1)??0;
return(i,l)=>{Y(l);const u=l.map(we);return Array.from({length:i},(m,d)=>{const c=(t.length+d)%o;const f=Math.floor(d/o)+
1+a.missedSeasons[c];const p=s*Math.sqrt(f);return Float64Array.from(u,h=>a.values[c]+h*p)})}}function op(e,t){const r=new Float64Array(
t).fill(Number.NaN);const n=new Float64Array(t);for(let a=0;a<e.length;a++){const s=e[a];if(Number.isNaN(s))continue;r[a%
t]=s;n[a%t]=Math.floor((e.length-1-a)/t)}const o=e.findLast(a=>!Number.isNaN(a));for(let a=0;a<t;a++){if(Number.isNaN(r[a]))
r[a]=r[(a+t-1)%t]??Number.NaN;if(Number.isNaN(r[a]))r[a]=o}return{values:r,missedSeasons:n}}function Yi(e,t){const r=[];
let n=0;for(const o of e)if(Math.abs(o)>n)n=Math.abs(o);if(n===0)return 0;for(let o=t;o<e.length;o++){if(Number.isNaN(e[o]))
continue;let a=1;while(o-a*t>=0&&Number.isNaN(e[o-a*t]))a++;const s=e[o-a*t];if(s!==void 0)r.push(((e[o]-s)/n)**2/a)}if(r.
length===0)return null;return n*Math.sqrt(r.reduce((o,a)=>o+a,0)/r.length)}var ap=.001;var sp=3;var Hi=1/12;function Qi(e,{intercept:t,slope:r},n){const o=e[0];const a=1-n;let s=o;let i=1;let l=ap;
let u=0;let m=0;let d=0;let c=0;let f=0;let p=0;for(let x=0;x<e.length;x++){const k=e[x]-s;if(!Number.isNaN(k)){if(x>=2){
const W=i*t[x]+(1-i*a)/n*r[x];l+=i*i;u+=i*W;m+=W*W;d+=i*k;c+=W*k;f+=k*k;p++}s+=n*k}i*=a}const h=m-u*u/l;const b=h>1e-12*
m;const y=b?(c-u*d/l)/h:0;const g=Math.min(1,Math.max(0,y));const F=(d-g*u)/l;const S=F*d+g*c;const A=F*F*l+2*F*g*u+g*g*
m;const w=Math.max(0,f-2*S+A);const M=w/Math.max(1,p-sp);const E=b?Math.min(Hi,M/h):Hi;return{alpha:n,weight:g,weightVariance:E,
initialLevel:o+F,squares:w,variance:M,observed:p}}function Bi(e){const t=e.length;const r=new Float64Array(t+1);const n=new Float64Array(
t+1);let o=0;let a=0;for(let s=1;s<=t;s++){let i=e[s-1];if(Number.isNaN(i))i=r[s-1]+a*s;a=s===1?0:((s-2)*a+6*(i-o)/s)/(s+
1);o+=(i-o)/s;n[s]=a;r[s]=o-a*(s+1)/2}return{intercept:r,slope:n}}var go=.05;var ji=.99;var Xi=16;var ip=12;var lp=.01;var Cr=(Math.sqrt(5)-1)/2;function Ki(e,t){const r=Bi(e);const n=d=>{
D(t);return Qi(e,r,d)};const o=(ji-go)/Xi;const a=Array.from({length:Xi+1},(d,c)=>n(go+c*o));let s=a.reduce((d,c)=>c.squares<
d.squares?c:d);let i=Math.max(go,s.alpha-o);let l=Math.min(ji,s.alpha+o);let u=n(l-Cr*(l-i));let m=n(i+Cr*(l-i));for(let d=0;d<
ip;d++){if(u.squares<m.squares){l=m.alpha;m=u;u=n(l-Cr*(l-i))}else{i=u.alpha;u=m;m=n(i+Cr*(l-i))}}for(const d of[u,m])if(d.
squares<s.squares)s=d;return{values:e,line:r,best:s,plausible:up(a,s)}}function up(e,t){if(!(t.squares>0))return[{solution:t,
share:1}];const r=e.map(({squares:o})=>R(t.squares/o,t.observed/2));const n=r.reduce((o,a)=>o+a,0);if(!(n>0))return[{solution:t,
share:1}];return e.map((o,a)=>({solution:o,share:r[a]/n})).filter(({share:o})=>o>=lp)}function Ao(e,{alpha:t,initialLevel:r}){const n=new Float64Array(e.length+1);let o=r;n[0]=o;for(let a=0;a<e.length;a++){
const s=e[a]-o;if(!Number.isNaN(s))o+=t*s;n[a+1]=o}return n}function vt({alpha:e,weight:t},r,n,o,a){const s=1-e;let i=o;
let l=R(s,n);let u=r.slope[n];let m=r.intercept[n];let d=m+u*(n+1)/2;for(let c=0;c<a.length;c++){const f=i+t*(l*m+(1-l*s)/
e*u);a[c]=f;i+=e*(f-i);l*=s;const p=n+c+1;u=((p-2)*u+6*(f-d)/p)/(p+1);d+=(f-d)/p;m=d-u*(p+1)/2}}var mp=2;var cp=3;function zi({values:e,line:t,best:r},n,o,a){const s=e.length;const i=Math.min(o,Wa);const l=Ln(i);const u=Ln(
i);const m=new Float64Array(i);const d=new Float64Array(s).fill(Number.NaN);const c=new Float64Array(s).fill(Number.NaN);
let f=0;let p=0;let h=0;let b=a;for(let S=Math.max(mp,s-qa);S<s;S++){vt(r,t,S,n[S],m);for(let A=0;A<Math.min(i,s-S);A++){
const w=m[A];const M=Math.abs(e[S+A]-w);if(Number.isNaN(M))continue;const E=M/Math.max(w,.1*e[S+A]);l.sum[A]=l.sum[A]+M;
l.count[A]=l.count[A]+1;u.sum[A]=u.sum[A]+E;u.count[A]=u.count[A]+1;if(A>0)continue;d[S]=M;c[S]=E;f+=M*M;p+=E*E;if(w>0)h+=
N(w);else b=false}}const y=l.count[0]??0;const g=Math.max(1,y-cp);const F=b&&y*N(p)+2*h<y*N(f);return F?{isRelative:F,variance:p/
g,byStep:u,oneStepErrors:c}:{isRelative:false,variance:f/g,byStep:l,oneStepErrors:d}}var dp=1.5;var fp=.2;var Ji=3;function Zi(e,t,r,n){const{values:o,line:a,best:s,plausible:i}=e;const l=o.length;const u=Ao(
o,s);const m=zi(e,u,t,n);const d=new Float64Array(t);vt(s,a,l,u[l],d);const c=Ji+r;const f=Math.max(1,s.observed+2-c);const p=m.
variance*(1+c/l)*Math.max(1,s.observed-Ji)/Math.max(1,s.observed-c);const h=new Float64Array(t);const b=new Float64Array(
t);const y=new Float64Array(t);const g=(M,E,x)=>{const{alpha:k}=M;const W=s.variance>0?M.variance/s.variance:1;const z=pp(
M,l);const fe=a.slope[l];for(let P=0;P<t;P++){const Ie=m.isRelative?Math.max(.001,d[P])**2:1;const ju=p*W*Ie;const Xu=M.
weightVariance*(fe*(P+1+(1-k)/k))**2;const ia=h[P]-d[P];const Ku=ju*(1+P*k*k+z*(P+1)**2)+Xu+ia*ia;x[P]=x[P]+E*Ku}};h.set(
d);g(s,1,y);for(const{solution:M,share:E}of i){const x=Ao(o,M)[l];vt(M,a,l,x,h);g(M,E,b)}const F=y.map((M,E)=>Math.sqrt(
1+E*s.alpha*s.alpha));const S=Ua(m.byStep,F,dp);const A=Xe(m.oneStepErrors,r+1);const w=y.map((M,E)=>A*Math.sqrt(Math.max(
M,b[E])*S[E]));return{center:d,...Ke(w,a.slope[l],fp),freedom:f,isRelative:n}}function pp({alpha:e,weight:t},r){return t*
t*(1.2*e*e/r+12*(1-e)**2/(r*r*r))}var hp=1e3;var bp=12;var yp=2e4;var el={id:"theta",quantileSupport:{type:"requested"},fit(e,{signal:t}){const r=Math.max(
hp,Math.min(yp,bp*e.season));const{values:n,scale:o,isPositive:a,isConstant:s}=nt(e.values,r);if(s)return j(e.values.at(
-1));const i=yr(n,e.season,a);const l=Ki(i.adjusted,t);return(u,m)=>{Y(m);const d=Zi(l,u,i.indices,a);return at(i.restore(
hr(d,m)),o)}}};var Ve={type:"requested"};var Z=[{id:"prophet",name:"Prophet",defaultWeight:.2,quantileSupport:Ve,reusesEarlierFits:true},
{id:"toto",name:"Toto",defaultWeight:.2,quantileSupport:{min:.1,max:.9,interpolation_inside_range:true},isPretrained:true},
{id:"ets",name:"Exponential smoothing",defaultWeight:.2,quantileSupport:Ve},{id:"theta",name:"Theta",defaultWeight:.2,quantileSupport:Ve},
{id:"arima",name:"ARIMA",defaultWeight:.2,quantileSupport:Ve},{id:"seasonal_naive",name:"Seasonal naive",defaultWeight:0,
quantileSupport:Ve},{id:"intermittent",name:"Intermittent demand",defaultWeight:0,quantileSupport:Ve,isSpreadPooled:true},
{id:"mstl",name:"Multiple seasonality",defaultWeight:0,quantileSupport:Ve,isSpreadPooled:true}];var kt=Z.filter(({defaultWeight:e})=>e>
0).map(({id:e})=>e);var tl=["toto","theta","seasonal_naive"];function rl(e){const t=[...e.prophet===void 0?[]:[Gi(e.prophet)],
Ys,el,Fs,yo,ni,Si];return new Map(t.map(r=>[r.id,r]))}function Lr(e,t){const r=t.indexOf(.5);let n=0;let o=0;const a=r<0?0:gp(e,r);let s=0;let i=0;let l=0;for(const{actual:d,
quantiles:c}of e){l+=Math.abs(d);t.forEach((b,y)=>{i+=2*Ct(b,d,c[y])});if(r<0)continue;const f=c[r];const p=Math.abs(d-f);
const h=Math.abs(d)+Math.abs(f);n+=p;o+=a>0?(p/a)**2:0;s+=h>0?2*p/h:0}const u=e.length;const m=r<0?0:u;return{count:u,point_count:m,
mae:m>0?n/m:null,rmse:m>0?a*Math.sqrt(o/m):null,smape:m>0?s/m:null,average_wql:l>0&&Number.isFinite(i/l)?i/t.length/l:null,
coverage:Ap(e,t)}}var Dr=Lr([],[]);function gp(e,t){return e.reduce((r,{actual:n,quantiles:o})=>Math.max(r,Math.abs(n-o[t])),
0)}function Ct(e,t,r){const n=t-r;return n>=0?e*n:(e-1)*n}function Ap(e,t){const r={};if(e.length===0)return r;t.forEach(
(n,o)=>{const a=t.findIndex(i=>Math.abs(i-(1-n))<1e-9);if(a<=o)return;const s=e.filter(({actual:i,quantiles:l})=>i>=l[o]&&
i<=l[a]);r[String(Math.round((1-2*n)*1e9)/1e9)]=s.length/e.length});return r}function ce(e){return e.map(t=>mt(Float64Array.from(t,r=>r?1:0)))}function qr(e,t){return e.map(r=>mt(Float64Array.from(
r,(n,o)=>n?t[o]:0)))}function nl(e,t,r){return e.map((n,o)=>n.map((a,s)=>(1-r)*a+r*t[o][s]))}function So(e,t,r){let n=0;
for(let o=0;o<t.length;o++){const a=t[o];if(a!==0)n+=a*e.values[o][r]}return n}function Wr(e,t){let r=0;let n=0;for(const{
rows:o}of e.folds){for(const a of o){e.levels.forEach((s,i)=>{r+=Ct(s,a.actual,So(a,t[i],i));n++})}}return n>0?r/n:0}function ut(e,t=()=>1){
const r=e.supports[0]?.length??0;return Float64Array.from({length:r},(n,o)=>{let a=0;let s=0;for(const i of e.folds){const l=t(
i);for(const u of i.rows){e.levels.forEach((m,d)=>{if(!e.supports[d]?.[o])return;a+=l*Ct(m,u.actual,u.values[o][d]);s+=l})}}
return s>0?a/s:0})}function mt(e){const t=e.reduce((r,n)=>r+n,0);return t>0?e.map(r=>r/t):e}var Sp=.7;var Fp=.25;var Fo=e=>{const t=e.folds.reduce((o,a)=>o+a.rows.length,0);const r=ut(Mp(e),wp);const n=Sp*Math.sqrt(
t);return e.prior.map(o=>{const a=o.reduce((s,i,l)=>s+i*r[l],0);if(!(a>0&&Number.isFinite(1/a)))return o;return mt(o.map(
(s,i)=>s*v(-n*Math.max(-Fp,r[i]/a-1))))})};function wp({training:e}){const t=e*e;return t*t}function Mp(e){const t=e.levels.
flatMap((n,o)=>e.supports[o]?.every(Boolean)?[o]:[]);if(t.length===e.levels.length)return e;const r=n=>t.map(o=>n[o]);return{
...e,levels:r(e.levels),supports:r(e.supports),folds:e.folds.map(({rows:n,training:o})=>({training:o,rows:n.map(({actual:a,
values:s})=>({actual:a,values:s.map(r)}))}))}}var ol=60;var al=60;var wo=e=>{const t=e.folds.flatMap(a=>a.rows);const r=ce(
e.supports);const n=Wr(e,r);if(!Number.isFinite(1/n))return r;const o=e.levels.map((a,s)=>{let i=r[s];const l=new Float64Array(
i.length);for(let u=0;u<ol;u++){const m=new Float64Array(i.length);for(const h of t){const b=h.actual>=So(h,i,s);for(let y=0;y<
i.length;y++){const g=h.values[y][s];if(i[y]>0)m[y]=m[y]+(b?-a:1-a)*g}}const d=1/(n*t.length*Math.sqrt(u+1));const c=m.reduce(
(h,b,y)=>i[y]>0?Math.min(h,b):h,Number.POSITIVE_INFINITY);const f=i.map((h,b)=>h>0?h*v(-d*(m[b]-c)):0);const p=f.reduce(
(h,b)=>h+b,0);i=f.map(h=>h/p);for(let h=0;h<l.length;h++)l[h]=l[h]+i[h]/ol}return l});return nl(o,r,al/(al+t.length))};var Ur=["rolling_pinball_v1","rolling_loss_selection_v2"];var Np={equal:({supports:e})=>ce(e),prior:({prior:e})=>e,evidence:Fo,
convex_per_quantile:wo};var Ep=1e-9;function sl(e,t){const r=ce(e.supports);const n=t==="rolling_pinball_v1";const o=n?wo(
e):Fo(e);const a=_p(o,r)?"equal":"evidence";return{method:n?"convex_per_quantile":a,weights:o,priorWeights:n?r:e.prior,innerScores:Object.
fromEntries(Object.entries(Np).map(([s,i])=>[s,xp(e,i)]))}}function _p(e,t){return e.every((r,n)=>r.every((o,a)=>Math.abs(
o-t[n][a])<Ep))}function xp(e,t){let r=0;let n=0;for(let o=1;o<e.folds.length;o++){const a=t({...e,folds:e.folds.slice(0,
o)});const s=e.folds[o];r+=Wr({...e,folds:[s]},a)*s.rows.length;n+=s.rows.length}return n>0?r/n:0}var Rp=1e3;var Vr=e=>t=>e+(1-e)*(t/(t+Rp));var de=e=>()=>e;var Ip={pretrainedShare:Vr(.5),fitted:{theta:.4,prophet:.35,arima:.25},
width:e=>1+2/e};var Tp={pretrainedShare:Vr(.85),fitted:{prophet:.35,ets:.35,theta:.3},width:de(1.05)};var il={pretrainedShare:Vr(
.67),fitted:{theta:.5,seasonal_naive:.3,prophet:.2},width:de(1.02)};var Pp={pretrainedShare:Vr(.8),fitted:{arima:.5,prophet:.4,
theta:.1},width:de(1.03)};var ll={pretrainedShare:de(.92),fitted:{mstl:.5,arima:.4,seasonal_naive:.1},width:de(1.08)};var ul={
pretrainedShare:de(.6),fitted:{mstl:.55,intermittent:.35,seasonal_naive:.1},width:de(1)};var ml={pretrainedShare:de(.9),
fitted:{seasonal_naive:1}};var Op={...ll,...ml};var vp={...ul,...ml};var cl={pretrainedShare:de(.7),fitted:{intermittent:1},
width:de(1)};var kp={...cl,pretrainedShare:de(.2)};var Cp={"1YE":Ip,"1QE":Tp,"1MS":il,"1ME":il,"1W-MON":Pp};var Lp=.3;function Gr({
frequency:e,zeroShare:t,season:r}){const n=Cp[e];const o=e==="1D";if(t>=Lp)return n!==void 0||o?cl:kp;if(n!==void 0)return n;
if(o)return r>1?ll:Op;return r>1?ul:vp}function dl(e){const t=[1,2].map(r=>Gr({...e,season:r}).fitted);return[...new Set(
t.flatMap(r=>Object.keys(r)))]}function $r(e){let t=0;let r=0;for(let n=0;n<e.length;n++){if(Number.isNaN(e[n]))continue;
r++;if(e[n]===0)t++}return r>0?t/r:0}function Mo(e,{frequency:t,values:r}){const n=l=>e.includes(l);const o=Z.filter(({id:l,isPretrained:u})=>u&&n(l));const a=dl(
{frequency:t,zeroShare:$r(r)});const s=Z.filter(({id:l,isPretrained:u})=>u||a.includes(l)).map(({id:l})=>l);const i=Eo(o.
length>0?s:kt,e);return{fitted:i,notFitted:kt.filter(l=>n(l)&&!i.includes(l))}}function No(e){return e==="fast"?tl:kt}function Eo(e,t){
const r=e.filter(n=>t.includes(n));return r.length>0?r:t}var Yr=["full","fast"];var _o=[.1,.25,.5,.75,.9];var Hr=21;var Qr=.001;var Br=.999;var fl=365;var jr=5e4;var Dp=150;function xo(e){
return e==="1YE"?Dp:fl}var oe=class extends Error{name="ForecastError";code;field;constructor(t,r,n=null,o){super(r,o);this.
code=t;this.field=n}};var qp=1;function Ro(e,t){const{horizon:r,values:n,mode:o="full",weightMode:a="auto",transform:s="auto",seed:i=qp}=e;const l=Wp(
e.cadence);const u=xo(l.frequency);U(Number.isInteger(r)&&r>=1&&r<=u,"horizon",()=>{return`must be a whole number from 1\
 to ${u}, not ${r}`});U(pl(n),"values",()=>"must be a list of numbers");U(pl(e.timestamps),"timestamps",()=>"must be a l\
ist of milliseconds since 1970");U(n.length<=jr,"values",()=>`may have at most ${jr} rows`);U(Number.isSafeInteger(i)&&i>=
0,"seed",()=>"must be a whole number, 0 or more");U(a==="auto"||a==="manual","weight_mode",()=>"must be auto or manual");
U(Yr.includes(o),"mode",()=>`must be ${Yr.join(" or ")}`);U(o==="full"||a==="auto","mode",()=>"fast requires weight_mode\
 auto");U(["auto","none","log"].includes(s),"transform",()=>"must be auto, none or log");const m=e.weightingPolicy??"rol\
ling_loss_selection_v2";U(Ur.includes(m),"weighting_policy",()=>{return`must be ${Ur.join(" or ")}`});const{fitted:d,notFitted:c}=Up(
{...e,cadence:l,mode:o,weightMode:a},t);return{cadence:l,horizon:r,quantiles:Gp(e.quantiles??_o),mode:o,models:d,notFitted:c,
weightMode:a,baseWeights:$p(a,e.weights,d),weightingPolicy:m,transform:s,seed:i}}function Wp(e){const{frequency:t,kind:r,
hours:n}=e??{};U(Nn(String(t)),"frequency",()=>`must be one of ${ve.join(", ")}`);U($t.includes(r),"cadence",()=>`must h\
ave the kind ${$t.join(" or ")}`);U(n===void 0||n==="regular"||n==="extended","cadence",()=>{return"must have the hours \
regular or extended, or none"});return{frequency:t,kind:r,hours:n}}function pl(e){return typeof e==="object"&&e!==null&&
Number.isInteger(e.length)}function Up(e,t){const r=hl(e);if(r===void 0)return Vp(e,t);U(Array.isArray(r)&&r.length>0,"m\
odels",()=>"must name at least one model");U(new Set(r).size===r.length,"models",()=>"must name each model once");for(const o of r){
U(t.includes(o),e.models?"models":"weights",()=>`cannot include '${o}'; available: ${t.join(", ")}`)}const n=Z.map(({id:o})=>o).
filter(o=>r.includes(o));return{fitted:n,notFitted:e.models===void 0?[]:e.notFitted??[]}}function Vp({mode:e="full",weightMode:t,
cadence:r,values:n},o){if(e==="fast"||t==="manual"){return{fitted:Eo(No(e),o),notFitted:[]}}return Mo(o,{frequency:r.frequency,
values:n})}function hl({models:e,weightMode:t,weights:r}){const n=t==="manual"&&r?Object.keys(r):[];return e??(n.length>
0?n:void 0)}function Gp(e){U(Array.isArray(e)&&e.length>=1&&e.length<=Hr,"quantiles",()=>{return`must be a list of 1 to ${Hr}\
 numbers`});U(new Set(e).size===e.length,"quantiles",()=>"must name each quantile once");for(const t of e){const r=typeof t===
"number"&&t>=Qr&&t<=Br;U(r,"quantiles",()=>{return`must lie between ${Qr} and ${Br}, not ${t}`})}return[...e].sort((t,r)=>t-
r)}function $p(e,t,r){if(t!==void 0){U(e==="manual","weights",()=>"require weight_mode manual");for(const[s,i]of Object.
entries(t)){U(r.includes(s),"weights",()=>`cannot include '${s}', which is not among the models`);U(Number.isFinite(i)&&
i>=0,"weights",()=>`of '${s}' must be 0 or more`)}const a=Math.max(...Object.values(t));U(a>0,"weights",()=>"must not al\
l be 0");return new Map(r.map(s=>[s,(t[s]??0)/a]))}const n=new Map(Z.map(({id:a,defaultWeight:s})=>[a,s]));const o=r.map(
a=>[a,n.get(a)??0]);return new Map(o.some(([,a])=>a>0)?o:r.map(a=>[a,1]))}function U(e,t,r){if(!e)throw new oe("INVALID_\
REQUEST",`${t} ${r()}.`,t)}async function yl(e,t,r,{runner:n,signal:o,onProgress:a}){const{models:s,seed:i}=e;const l=new Set;const u=()=>a?.({completed_models:l.
size,total_models:s.length,current_model:s.find(c=>!l.has(c))??null});const m=[...t.folds,...t.validation===null?[]:[t.validation]];
const d={length:t.series.values.length,horizon:e.horizon};u();return Promise.all(s.map(async c=>{const f=To(c,r);const p=r.
filter((S,A)=>f[A]);const h={model:c,series:t.series,quantiles:p,seed:i};const b=m.map(({length:S,horizon:A})=>({length:S,
horizon:A}));const[y,g]=await Promise.all([b.length>0?n.run({...h,windows:b},o):[],n.run({...h,windows:[d]},o)]);l.add(c);
u();const F=y.map(S=>bl(S,f));return{id:c,supports:f,folds:F.slice(0,t.folds.length),validation:F[t.folds.length]??null,
final:bl(g[0],f)}}))}function X(e){return e!==null&&"rows"in e?e.rows:null}function Io(e){return"failure"in e?e.failure:
null}function To(e,t){const r=Z.find(n=>n.id===e)?.quantileSupport??{type:"requested"};return t.map(n=>"type"in r||n>=r.
min&&n<=r.max)}function bl(e,t){const r=X(e);if(r===null)return e;if(!r.every(n=>n.every(Number.isFinite))){return{failure:{
code:"NOT_CONVERGED",message:"The forecast leaves the range of numbers."}}}if(t.every(Boolean))return e;return{rows:r.map(
n=>{let o=0;return Float64Array.from(t,a=>a?n[o++]:Number.NaN)})}}var Yp=[0,.3,.6,.8,.9,1];function Al(e,t,r){const n=new Map;for(const{from:s,to:i}of r){for(let l=s;l<=i;l++){if(l%t!==0&&
!n.has(l))n.set(l,gl(e,l))}}let o=s=>1;let a=Number.POSITIVE_INFINITY;for(const s of Yp){const i=d=>1+s*s-2*s*ye(2*Math.
PI*d/e.length);let l=0;let u=0;for(const[d,c]of n){l+=c/i(d);u+=N(i(d))}const m=n.size*N(Math.max(l,Number.MIN_VALUE))+u;
if(m<a){a=m;o=i}}return{flatPower:s=>gl(e,s)/o(s),mean({from:s,to:i}){let l=0;let u=0;for(let m=s;m<=i;m++){if(m%t===0)continue;
l+=n.get(m)/o(m);u++}return u===0?0:l/u}}}function gl(e,t){const r=2*ye(2*Math.PI*t/e.length);let n=0;let o=0;for(let a=0;a<
e.length;a++){const s=e[a]+r*o-n;n=o;o=s}return Math.max(0,o*o+n*n-r*o*n)}function Fl(e,t,r){return r?Hp(e,2*t):R(1+e/t,-t)}function Hp(e,t){const r=Math.sqrt(e)*(1-1/(4*t))/Math.sqrt(1+e/(2*t));
return Math.min(1,2*Qp(r))}function Qp(e){const t=1/(1+.33267*e);const r=v(-e*e/2)/Math.sqrt(2*Math.PI);return r*t*(.4361836+
t*(-.1201676+t*.937298))}function wl(e,t){const r=e.length;if(r===0)return 0;const n=e.reduce((a,s)=>a-N(Math.max(s,1e-30)),
0);const o=1+2*t/r;return-Bp(n/o,Math.max(1,r/o))/Math.LN10}function Bp(e,t){const r=Math.floor(t);const n=t-r;return(1-
n)*Sl(e,r)+(n>0?n*Sl(e,r+1):0)}function Sl(e,t){let r=1;let n=1;for(let o=1;o<t;o++){r*=e/o;n+=r}return N(n)-e}var jp=6;var Xp=6e3;var Kp=6;var zp=40;function Ml(e,t,r){const n=Math.min(Math.floor(e.length/t),Math.max(2,Math.floor(
Xp/t)));if(n<2)return 0;const o=e.slice(e.length-n*t);const a=o.reduce((c,f)=>c+f,0)/o.length;const s=o.map(c=>c-a);const i=s.
length/2;const l=Jp(t,r).map(c=>n*c).map(c=>({center:c,around:Zp(c,n,i)})).filter(({around:c})=>Lt(c,n)>0);const u=Al(s,
n,l.map(({around:c})=>c));const m=l.map(({center:c,around:f})=>{const p=u.flatPower(c)/Math.max(u.mean(f),Number.MIN_VALUE);
return Fl(p,Lt(f,n),c===i)});let d=0;for(const[c,f]of l.entries()){for(const p of l.slice(0,c))d+=eh(f.around,p.around,n)}
return wl(m,d)}function Jp(e,t){const r=t>1&&e%t===0?e/t:Number.POSITIVE_INFINITY;const n=[];for(let o=1;o<=Math.floor(e/
2)&&n.length<jp;o++){if(o%r!==0)n.push(o)}return n}function Zp(e,t,r){const n=Math.min(Math.max(t,Kp),zp);return{from:Math.
max(1,e-n),to:Math.min(e+n,Math.ceil(r)-1)}}function Lt({from:e,to:t},r){if(t<e)return 0;return t-e+1-(Math.floor(t/r)-Math.
floor((e-1)/r))}function eh(e,t,r){const n=Lt({from:Math.max(e.from,t.from),to:Math.min(e.to,t.to)},r);return n/(Lt(e,r)*
Lt(t,r)+n/2)}var Nl=2.2;function Po(e,t){const r=_l(e,t);for(;;){const n=r.next();if(n.done)return n.value}}function*_l(e,t){const r=th(
t)?t:It(t);const n=e.reduce((l,u)=>Math.abs(u)>l?Math.abs(u):l,0);if(!(n>0&&n<Number.POSITIVE_INFINITY))return 1;const o=re(
e.map(l=>l/n));const a=[El(o)];yield;if(o.every(l=>l>0))a.push(El(o.map(N)));let s=1;let i=Nl;for(const l of[...r].sort(
(u,m)=>u-m)){if(l<2)continue;const u=[];for(const c of a){yield;u.push(Ml(c,l,s))}const m=Math.max(...u);const d=l%s===0;
if(m<Nl||!d&&m<=i)continue;s=l;i=m}return s}function th(e){return Array.isArray(e)}var rh=1e-11;function El(e){const t=e.
length;if(t<2)return new Float64Array(t);const r=xt(e);const n=e.map((l,u)=>l-r[u]);const o=n.map((l,u)=>l-n[u>0?u-1:t-1]);
const a=o.slice(1).sort();const s=ne(a,.5);const i=2*Math.max(s-ne(a,.05),ne(a,.95)-s);if(!(i>rh))return o.fill(0);return o.
map(l=>Math.min(Math.max((l-s)/i,-1),1))}var ge={low:.1,median:.5,high:.9};var Oo=.5;var nh=3;var oh=130;function vo(e){return{lower:e,upper:e,rows:0}}function Rl(e,t){
if(e.length===0)return vo(t);const r=e.map(({actual:o,low:a,median:s,weight:i})=>({distance:(s-o)/(s-a),weight:i}));const n=e.
map(({actual:o,high:a,median:s,weight:i})=>({distance:(o-s)/(a-s),weight:i}));return{lower:xl(r,t),upper:xl(n,t),rows:e.
length}}function xl(e,t){const r=e.filter(({distance:a})=>Number.isFinite(a)).sort((a,s)=>a.distance-s.distance);const n=r.
reduce((a,{weight:s})=>a+s,0);if(n===0)return t;const o=n**2/(n**2+oh**2);return t*R(sh(ah(r,n)/t),o)}function ah(e,t){let r=0;
for(const{distance:n,weight:o}of e){r+=o;if(r>=ge.high*t)return Math.max(Oo,n)}return Math.max(Oo,e.at(-1)?.distance??1)}
function sh(e){return Math.min(nh,Math.max(Oo,e))}function Xr(e,t,r,n,o){const a=e.find(i=>i!==null)?.length??0;const s=r.indexOf(ge.median);return Array.from({length:a},
(i,l)=>{const u=Co(e,t,r,n,l);const m=u[s];const d=u.map((c,f)=>{const p=f<s?o.lower:o.upper;return uh(n.fromSpace(m+p*(c-
m)))});for(let c=s-1;c>=0;c--)d[c]=Math.min(d[c],d[c+1]);for(let c=s+1;c<r.length;c++){d[c]=Math.max(d[c],d[c-1])}return d})}
function Co(e,{weights:t,spread:r},n,o,a){const s=(d,c)=>o.toSpace(e[d][a][c]);const i=(d,c)=>{let f=0;for(let p=0;p<d.length;p++){
const h=d[p];if(h!==0)f+=h*c(p)}return f};if(r===null)return Float64Array.from(t,(d,c)=>i(d,f=>s(f,c)));const l=n.indexOf(
ge.median);const u=i(t[l],d=>s(d,l));const m=(d,c)=>s(d,c)-s(d,l);return Float64Array.from(r.weights,(d,c)=>{if(c===l)return u;
const f=r.anchors[c];const p=i(r.weights[f],y=>m(y,f));if(f===c)return u+p;const[h,b]=[c,f].map(y=>i(d,g=>Math.abs(m(g,y))));
return u+p*lh(h,b,n[c],n[f])})}var ih=3;function lh(e,t,r,n){const o=we(r)/we(n);const a=t>0?e/t:o;return Math.max(1,Math.
min(ih*o,a))}function uh(e){return Math.max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,e))+0}var Il={toSpace:e=>e,fromSpace:e=>e};
var mh=.05;var ch=.05;var dh=.5;var fh=700;function Tl(e,t,r,n){const o=t.every(s=>!(s<=0));const a=e==="log"||e==="auto"&&
kr(ko(r),n)>0;return o&&a?{name:"transformed",atOrigin:s=>hh(ko(t.subarray(0,s)))}:{name:"target",atOrigin:s=>ph(ko(t.subarray(
0,s)))}}function ph(e){let t=0;let r=Number.POSITIVE_INFINITY;for(const o of e){if(o<0)return Il;if(o===0)t++;else if(o<
r)r=o}if(!(t>=mh*e.length)||r===Number.POSITIVE_INFINITY)return Il;const n=ch*r;return{toSpace:o=>o,fromSpace:o=>o<n?0:o}}
function hh(e){const t=dh*e.reduce((r,n)=>Math.min(r,n),Number.POSITIVE_INFINITY);return{toSpace:r=>N(Math.max(r,t)),fromSpace:r=>v(
Math.min(r,fh))}}function ko(e){return e.filter(t=>!Number.isNaN(t))}var Ol=30;var bh=5;var Pl=8;var yh=3;function Lo(e){return Math.min(Ol,Math.max(e,yh))}function Do(e,t,r){const n=r>1?Math.
max(Pl,Math.min(2*r+2,Math.floor(e/2))):Pl;const o=e-n;const a=Math.max(0,Math.min(Lo(t),Math.floor(o/3)));return{minTraining:n,
calibrationHorizon:a,folds:a===0?[]:gh(n,e-2*a),audit:a===0?null:e-a,holdout:Math.max(0,Math.min(t,Ol,o))}}function gh(e,t){
const r=Math.min(bh,t-e+1);if(r===1)return[t];return Array.from({length:r},(n,o)=>e+Math.round(o*(t-e)/(r-1)))}var vl=3;var Ah=2;var Sh=12;function qo(e){if(e>=vl)return;throw new oe("INSUFFICIENT_HISTORY",`A forecast needs at leas\
t ${vl} rows; there are ${e}.`)}function kl(e,t,r){const{cadence:n,transform:o}=e;const{dense:a,rows:s,selectionValues:i}=Cl(
e,t,r);const l=i.length>1?Po(i,n):1;return{series:{...a,cadence:n,season:no(l,n)},season:l,rows:s,spaces:Tl(o,a.values,i,
l),...Ll(e,s,l)}}function Cl({cadence:e,horizon:t},r,n){qo(n.length);const o=gt(e,r,n);const a=Fh(o.values);const s=a.periodsThrough(
Math.max(1,a.count-Lo(t)));return{dense:o,rows:a,selectionValues:o.values.subarray(0,s)}}function Ll({horizon:e,mode:t,weightMode:r},n,o){
const a=Do(n.count,e,o);const s=(p,h)=>({training:p,length:n.periodsThrough(p),horizon:h,outcomes:n.outcomes(p,h)});const i=t===
"fast";const l=r==="auto"&&!i?a.folds.map(p=>s(p,a.calibrationHorizon)):[];const u=l.reduce((p,{outcomes:h})=>p+h.length,
0);const m=l.filter(({outcomes:p})=>p.length>0).length;const d=m>=Ah&&u>=Sh;const c=a.holdout>0?s(n.count-a.holdout,a.holdout):
null;const f=d||i;return{windows:a,folds:l,canChooseWeights:d,validation:f&&a.audit!==null?s(a.audit,a.calibrationHorizon):
c}}function Fh(e){const t=[];e.forEach((n,o)=>{if(!Number.isNaN(n))t.push(o)});const r=n=>n===0?0:t[n-1]+1;return{count:t.
length,periodsThrough:r,outcomes:(n,o)=>{const a=r(n);return t.slice(n,n+o).map(s=>({step:s-a,actual:e[s]})).filter(({step:s})=>s<
o)}}}function Dl({quantiles:e,models:t}){const r=e.find(o=>t.every(a=>!To(a,[o])[0]));if(r===void 0)return;const n=`None of t\
he models ${t.join(", ")} gives the quantile ${r}.`;throw new oe("UNSUPPORTED_QUANTILE",n,"quantiles")}function ql(e,t,r){
try{return ke(e,t,r)}catch(n){if(!(n instanceof RangeError))throw n;const o=`horizon reaches beyond the supported dates:\
 ${n.message} Request fewer periods.`;throw new oe("INVALID_REQUEST",o,"horizon")}}function Dt(e){return String(e)}function ct(e,t,r,n){return Object.fromEntries(n.map(o=>{const a=r.indexOf(o);const s=t.
flatMap(({id:i,supports:l},u)=>l[a]?[[i,e[a][u]]]:[]);return[Dt(o),Object.fromEntries(s)]}))}var Mh=.02;function Kr(e,t,r){const n=e.filter(({isPretrained:u})=>u).length;if(n===0||n===e.length)return ce(t);const o=Gr(
r);const a=o.pretrainedShare(r.rows);const s=({id:u})=>o.fitted[u]??Mh;const i=e.reduce((u,m)=>u+(m.isPretrained?0:s(m)),
0);const l=(1-a)*Math.min(1,i);return qr(t,e.map(u=>u.isPretrained?(1-l)/n:l*s(u)/i))}function Wl(e,t,r){if(!e.some(({isPretrained:o})=>o))
return null;const n=t.map((o,a)=>{const s=o.map((u,m)=>u&&Eh(e[m]));const i=r[a];const l=i.map((u,m)=>s[m]?u:0);if(l.some(
u=>u>0))return mt(l);return s.includes(true)?ce([s])[0]:i});return{weights:n,anchors:Nh(e,t)}}function Nh(e,t){const r=t.
flatMap((a,s)=>a.some((i,l)=>i&&e[l]?.isPretrained)?[s]:[]);const[n=0,o=n]=[r[0],r.at(-1)];return t.map((a,s)=>Math.max(
n,Math.min(o,s)))}function Eh({isPretrained:e,isSpreadPooled:t}){return e||t}function Ul(e){return Gr(e).width(e.rows)}function qt(e,t,r){const n=e.folds.map((a,s)=>{const{toSpace:i}=e.spaces.atOrigin(a.length);const l=a.outcomes.map(({step:u,
actual:m})=>({actual:i(m),values:r.map(({folds:d})=>X(d[s]??null)[u]?.map(i))}));return{rows:l,training:Vl(e,a)}});const o=Wo(
t,r);return{levels:t,supports:o,folds:n.filter(({rows:a})=>a.length>0),prior:Kr(r.map(zr),o,Jr(e))}}function Wo(e,t){return e.
map((r,n)=>t.map(o=>o.supports[n]))}function Vl({rows:e},{training:t}){return t/e.count}function Gl(e,t,r,n){const[o,a,s]=[
ge.low,ge.median,ge.high].map(i=>t.indexOf(i));return e.folds.flatMap((i,l)=>{const u=r.map(({folds:d})=>X(d[l]??null));
const m=e.spaces.atOrigin(i.length);return i.outcomes.map(({step:d,actual:c})=>{const f=Co(u,n,t,m,d);return{actual:m.toSpace(
c),low:f[o],median:f[a],high:f[s],weight:Vl(e,i)}})})}function zr({id:e}){const{isPretrained:t=false,isSpreadPooled:r=false}=Z.
find(n=>n.id===e)??{};return{id:e,isPretrained:t,isSpreadPooled:r}}function Jr({series:e,season:t,rows:r}){return{frequency:e.
cadence.frequency,rows:r.count,zeroShare:$r(e.values),season:t}}function Zr(e,t,r,n){const o=n.members.map(({validation:d})=>X(d));if(e.validation===null||o.every(d=>d===null))return null;
const a=n.members.map(({supports:d},c)=>d.map(f=>f&&o[c]!==null));const s=$l(n.weights,a);const i=n.spread&&{...n.spread,
weights:$l(n.spread.weights,a)};const l=Xr(o,{weights:s,spread:i},t,e.spaces.atOrigin(e.validation.length),n.calibration);
const u=r.map(d=>t.indexOf(d));const m=e.validation.outcomes.map(({step:d,actual:c})=>({actual:c,quantiles:u.map(f=>l[d][f])}));
return{metrics:Lr(m,r),weights:s}}function Yl(e,t,r,n,o){const a={policy:"chronological_holdout_v1",method:"chronologica\
l_holdout",requested_models:n,effective_weights_by_quantile:{},metrics:null};if(e.validation===null)return{...a,status:"\
insufficient_history"};const s=Uo(e,e.validation);if(e.validation.outcomes.length===0)return{...a,...s,status:"no_matchi\
ng_outcomes"};const i=Zr(e,t,r,o);if(i===null)return{...a,...s,status:"failed"};return{...a,...s,status:"completed",effective_weights_by_quantile:ct(
i.weights,o.members,t,r),metrics:i.metrics}}function Uo({series:e,rows:t},{training:r,horizon:n}){const o=a=>new Date(e.
times[t.periodsThrough(a)-1]).toISOString();return{training_rows:r,holdout_rows:n,training_end_at:o(r),validation_start_at:o(
r+1),validation_end_at:o(r+n)}}function $l(e,t){return e.map((r,n)=>{const o=r.map((l,u)=>t[u]?.[n]?l:0);const a=o.reduce(
(l,u)=>l+u,0);if(a>0)return o.map(l=>l/a);const s=r.map((l,u)=>t[u]?.[n]?1:0);const i=s.reduce((l,u)=>l+u,0);return i>0?
s.map(l=>l/i):r})}function Hl(e,t,r,n){const o=n.map(a=>({key:Dt(a),q:r.indexOf(a)}));return e.map((a,s)=>({timestamp:new Date(t[s]).toISOString(),
quantiles:Object.fromEntries(o.flatMap(({key:i,q:l})=>Number.isNaN(a[l])?[]:[[i,a[l]]]))}))}function Ql(e,{leftOut:t},r){
const n=X(e.final);const o=t.get(e.id)??null;const a=[e.final,...e.folds].map(Io).find(i=>i!==null)??null;const s=n===null?
"failed":o===null?"completed":"left_out";return{model:e.id,status:s,reason:o,error:a,predictions:n===null?[]:r(n)}}function Bl(e){
return{model:e,status:"left_out",reason:"not_fitted_here",error:null,predictions:[]}}function jl(e,t,r,n,o){const{quantiles:a,
horizon:s}=e;const{calibrationHorizon:i}=t.windows;const l=b=>ct(b,o.members,r,a);const u=l(o.weights);const{members:m,equal:d,
equalCalibration:c}=o;const f={members:m,weights:d,spread:null,calibration:c};const p=(t.validation?.outcomes.length??0)>
0;const h=p?Zr(t,r,a,o):null;return{mode:"auto",policy:e.weightingPolicy,status:o.status,reason:o.reason,pooling_space:t.
spaces.name,calibration_rows:t.folds.reduce((b,{outcomes:y})=>b+y.length,0),calibration_horizon:i,extrapolated_from_step:o.
calibration.rows>0&&s>i?i+1:null,weights_by_quantile:u,effective_weights_by_quantile:u,prior_weights:l(o.priorWeights),...o.
spread&&{spread_weights:l(o.spread.weights)},folds:_h(t,r,n),selected_method:o.selectedMethod,inner_scores:o.innerScores,
calibration:o.calibration,audit_metrics:h?.metrics??Dr,baseline_audit_metrics:(h&&Zr(t,r,a,f)?.metrics)??Dr}}function _h(e,t,r){
return e.folds.map((n,o)=>{const{training_rows:a,training_end_at:s,validation_start_at:i,validation_end_at:l}=Uo(e,n);const u=m=>{
if(n.outcomes.length===0||X(m.folds[o]??null)===null)return null;const d=qt({...e,folds:[n]},t,[{...m,folds:m.folds.slice(
o,o+1)}]);return ut(d)[0]};return{training_rows:a,training_end_at:s,start_at:i,end_at:l,rows:n.outcomes.length,losses:Object.
fromEntries(r.map(m=>[m.id,u(m)]))}})}function Xl(e){const t=e.map(({id:r,final:n})=>`${r}: ${Io(n)?.message??"left out"}`);
return`Every model failed. ${t.join(" ")}`}var xh=10;function Kl(e,t,r,n){const o=new Map;const a=(p,h,b)=>p.filter(y=>b(y)||!o.set(y.id,h));const s=a(n,"failed",({
final:p})=>X(p)!==null);const i=(p,h,b,y)=>Rh(e,t,r,b,o,p,h,y);if(e.weightMode==="manual")return i("manual",null,s,false);
const l=t.canChooseWeights?s.filter(({folds:p})=>p.every(h=>X(h)!==null)):[];const u=l.length>0;const m=u?a(s,"failed_in\
_calibration",p=>l.includes(p)):s;const d=u?ut(qt(t,r,m)):null;const c=d===null?Number.POSITIVE_INFINITY:xh*Th(d);const f=a(
m,"exploded_in_calibration",p=>{return d===null||c===0||d[m.indexOf(p)]<=c});if(f.length===1){const p=e.models.length===
1?"one_model_requested":"one_model_survived";return i("single_model",p,f,u)}if(e.mode==="fast")return i("fallback","fast\
_mode",f,false);if(!t.canChooseWeights)return i("fallback","insufficient_history",f,false);if(!u)return i("fallback","ca\
libration_failed",f,false);return i("optimized",null,f,true)}function Rh(e,t,r,n,o,a,s,i){const l=Wo(r,n);const u=ce(l);
const m=p=>{const h=a==="manual"||p.spread===null?1:Ul(Jr(t));return i?Rl(Gl(t,r,n,p),h):vo(h)};const d=(p,h)=>{const b=h?
null:Wl(n.map(zr),l,p);const y=m({weights:u,spread:null});const g={weights:p,spread:b};return{status:a,reason:s,members:n,
leftOut:o,equal:u,equalCalibration:y,...g,calibration:m(g)}};if(a==="optimized"){const{weightingPolicy:p}=e;const h=qt(t,
r,n);const{method:b,weights:y,...g}=sl(h,p);return{...d(y,p==="rolling_pinball_v1"),...g,selectedMethod:b}}const c=Ih(e,
t,l,n);const f={manual:"manual",single_model:"single_model",fallback:"default_weights"}[a];return{...d(c,a==="manual"),priorWeights:c,
selectedMethod:f,innerScores:{}}}function Ih({weightMode:e,baseWeights:t},r,n,o){const a=o.map(zr);if(e==="auto"&&a.some(
({isPretrained:l})=>l)){return Kr(a,n,Jr(r))}const s=ce(n);const i=qr(n,o.map(({id:l})=>t.get(l)));return i.map((l,u)=>l.
some(m=>m>0)?l:s[u])}function Th(e){return e.toSorted()[e.length-1>>1]}var zl="4";async function Jl(e,t){t.signal?.throwIfAborted();const r=Ro(e,t.runner.models);const{quantiles:n,models:o,horizon:a}=r;
Dl(r);const s=kl(r,e.timestamps,e.values);const i=ql(r.cadence,s.series.times.at(-1),a);const l=[...new Set([...n,...Object.
values(ge)])].sort((h,b)=>h-b);const u=await yl(r,s,l,t);const m=Kl(r,s,l,u);if(m.members.length===0)throw new oe("ALL_M\
ODELS_FAILED",Xl(u));const d=h=>Hl(h,i,l,n);const c=m.members.map(({final:h})=>X(h));const f=Xr(c,m,l,s.spaces.atOrigin(
s.series.values.length),m.calibration);const p=ct(m.weights,m.members,l,n);return{predictions:d(f),weight_mode:r.weightMode,
...r.weightMode==="auto"?{weighting:jl(r,s,l,u,m)}:{},historical_validation:Yl(s,l,n,o,m),effective_weights_by_quantile:p,
members:[...u.map(h=>Ql(h,m,d)),...r.notFitted.map(Bl)],season:s.season}}var L=class extends Error{name="CheckpointError";code;constructor(t,r){super(r);this.code=t}};var Zl=100;function K(e){return JSON.
stringify(e.length>Zl?`${e.slice(0,Zl)}…`:e)}function en(e,t,r){let n;let o;try{n=new TextDecoder("utf-8",{fatal:true}).decode(e);o=JSON.parse(n)}catch{throw new L(r,
`${t} is not JSON in UTF-8.`)}if(!Vo(o))throw new L(r,`${t} is not a JSON object.`);return{object:o,text:n}}function Vo(e){
return typeof e==="object"&&e!==null&&!Array.isArray(e)}function eu(e){const t=[];let r=0;for(let n=0;n<e.length;n++){const o=e[n];
if(o==="{"||o==="[")r++;else if(o==="}"||o==="]")r--;else if(o==='"'){const a=Ph(e,n);if(r===1&&Oh(e,a))t.push(JSON.parse(
e.slice(n,a)));n=a-1}}return t}function Ph(e,t){let r=t+1;while(e[r]!=='"')r+=e[r]==="\\"?2:1;return r+1}function Oh(e,t){
let r=t;while(e[r]===" "||e[r]==="\n"||e[r]==="\r"||e[r]==="	")r++;return e[r]===":"}var tn=3;var G=9;var ae={bytes:65536,patch:1024,width:16384,hidden:65536,heads:256,headDim:1024,layers:256};function tu(e){
if(e.length>ae.bytes)throw new L("TOO_LARGE",`config.json is longer than ${ae.bytes} bytes.`);const t=new $o(en(e,"confi\
g.json","CONFIG_INVALID").object);vh(t);const r=t.integer("d_model",1,ae.width);const n=t.integer("num_heads",1,ae.heads);
Go("d_model",r,"num_heads",n);const o=t.integer("num_groups",1,ae.heads,n);Go("num_heads",n,"num_groups",o);const a=t.integer(
"qk_dim",1,ae.headDim,r/n);const s=t.boolean("norm_include_weight",false);const i=kh(t);if(i.includes(false)&&a%4!==0){throw new L(
"CONFIG_INVALID",`The field qk_dim of config.json is ${a}, not a multiple of 4.`)}const l=t.integer("patch_size",1,ae.patch);
const u=t.boolean("almanac_extra_statistics",false);return{patchSize:l,tokenWidth:2*l+(u?tn:0),modelDim:r,feedForwardDim:t.
integer("d_ff",1,ae.hidden,Math.ceil(Math.floor(8*r/3)/8)*8),heads:n,groups:o,queryDim:a,valueDim:t.integer("v_dim",1,ae.
headDim,a),isVariateLayer:i,normEpsilon:t.positive("norm_eps",1,5e-5),hasXpos:t.boolean("use_xpos",false),hasPerDimScale:t.
boolean("per_dim_scale",false),hasQueryNorm:t.boolean("qk_norm",true),hasQueryNormWeight:t.boolean("qk_norm_include_weig\
ht",s),hasNormWeight:s,hasAttentionBias:t.boolean("attn_bias",false),hasFeedForwardBias:t.boolean("mlp_bias",false),hasExtraStatistics:u,
hasAnchoredOutput:t.boolean("almanac_anchored_output",false)}}function vh(e){if(e.integer("num_output_patches",1,ae.patch,
1)!==1){throw new L("CONFIG_UNSUPPORTED","The field num_output_patches of config.json must be 1.")}if(!e.boolean("pre_no\
rm",true)){throw new L("CONFIG_UNSUPPORTED","The field pre_norm of config.json must be true.")}}function kh(e){const t=e.
integer("num_layers",1,ae.layers);const r=e.integer("layer_group_size",1,ae.layers);Go("num_layers",t,"layer_group_size",
r);const n=e.integer("num_variate_layers_per_group",0,r);const o=e.boolean("variate_layer_first");return Array.from({length:t},
(a,s)=>{const i=s%r;return o?i<n:i>=r-n})}function Go(e,t,r,n){if(t%n===0)return;throw new L("CONFIG_INVALID",`${e} (${t}\
) of config.json is not a multiple of ${r} (${n}).`)}var $o=class{#t;constructor(t){this.#t=t}integer(t,r,n,o){const a=this.#r(
t)??o;if(typeof a==="number"&&Number.isInteger(a)&&a>=r&&a<=n)return a;throw this.#e(t,`a whole number from ${r} to ${n}`)}positive(t,r,n){
const o=this.#r(t)??n;if(typeof o==="number"&&o>0&&o<=r)return o;throw this.#e(t,`a number above 0 and up to ${r}`)}boolean(t,r){
const n=this.#r(t)??r;if(typeof n==="boolean")return n;throw this.#e(t,"true or false")}#r(t){return Object.hasOwn(this.#t,
t)?this.#t[t]:void 0}#e(t,r){const n=(this.#r(t)??null)===null?"is missing":"is wrong";return new L("CONFIG_INVALID",`Th\
e field ${t} of config.json ${n}: it must be ${r}.`)}};var Yo={F32:4,F16:2,BF16:2};var rn=8;var ru=1048576;var Ch=8;function au(e){if(e.length<rn)throw dt("the file ends befor\
e the length of its header.");const t=new DataView(e.buffer,e.byteOffset,e.byteLength);const r=t.getBigUint64(0,true);if(r>
BigInt(Math.min(ru,e.length-rn))){throw dt(`a header of ${r} bytes does not fit: the file has ${e.length}, a header at m\
ost ${ru}.`)}const n=rn+Number(r);const o=e.subarray(rn,n);const{object:a,text:s}=en(o,"The header of model.safetensors",
"HEADER_INVALID");Lh(eu(s));const i=Object.entries(a).filter(([l])=>l!=="__metadata__").map(([l,u])=>Dh(l,u));qh(i,e.length-
n);return{tensors:i,dataStart:n}}function Lh(e){const t=new Set;for(const r of e){if(t.has(r))throw new L("TENSOR_DUPLIC\
ATE",`The tensor ${K(r)} occurs twice.`);t.add(r)}}function Dh(e,t){if(!Vo(t))throw dt(`the entry of the tensor ${K(e)} \
is not an object.`);const{dtype:r,shape:n,data_offsets:o}=t;if(typeof r!=="string")throw dt(`the tensor ${K(e)} has no d\
type.`);if(!Wh(r)){throw new L("DTYPE_UNSUPPORTED",`The tensor ${K(e)} has the dtype ${K(r)}; F32, F16 and BF16 can be r\
ead.`)}if(!nu(n)||n.length>Ch)throw dt(`the shape of the tensor ${K(e)} is wrong.`);if(!nu(o)||o.length!==2)throw dt(`th\
e offsets of the tensor ${K(e)} are wrong.`);return{name:e,dtype:r,shape:n,begin:o[0],end:o[1]}}function qh(e,t){let r=0;
for(const{name:n,dtype:o,shape:a,begin:s,end:i}of e.toSorted((l,u)=>l.begin-u.begin||l.end-u.end)){const l=m=>new L("OFF\
SETS_INVALID",`The offsets ${s} to ${i} of the tensor ${K(n)} ${m}.`);if(s>i||i>t)throw l(`do not lie in the ${t} bytes \
of data`);const u=a.reduce((m,d)=>m*d,Yo[o]);if(u!==i-s)throw l(`do not hold ${o} values of the shape [${a}]`);if(s<r)throw l(
"overlap another tensor");if(s>r)throw l(`leave a hole after byte ${r}`);r=i}if(r===t)return;throw new L("OFFSETS_INVALI\
D",`No tensor uses the last ${t-r} bytes of model.safetensors.`)}function Wh(e){return Object.hasOwn(Yo,e)}function nu(e){
return Array.isArray(e)&&e.every(t=>Number.isSafeInteger(t)&&t>=0)}function dt(e){return new L("HEADER_INVALID",`model.s\
afetensors cannot be read: ${e}`)}function su(e,t,r){const n=Yo[e.dtype];const o=t.subarray(r+e.begin,r+e.end);const a=o.
byteOffset%n===0?o:o.slice();const s=a.length/n;const i=e.dtype==="F32"?new Float32Array(a.buffer,a.byteOffset,s):Uh(new Uint16Array(
a.buffer,a.byteOffset,s),e.dtype);Gh(i,e.name);return i}function Uh(e,t){const r=new Uint32Array(e.length);if(t==="BF16"){
for(let o=0;o<r.length;o++)r[o]=e[o]<<16;return new Float32Array(r.buffer)}for(let o=0;o<r.length;o++){const a=e[o];r[o]=
(a&32768)<<16|(a&32767)<<13}const n=new Float32Array(r.buffer);for(let o=0;o<n.length;o++)n[o]=Vh(n[o]*2**112);return n}
var ou=65536;function Vh(e){const t=Math.abs(e);if(t<ou)return e;return t===ou?e*Number.POSITIVE_INFINITY:Number.NaN}function Gh(e,t){
let r=0;for(let o=0;o<e.length;o++)r+=0*e[o];if(r===0)return;const n=e.findIndex(o=>!Number.isFinite(o));throw new L("TE\
NSOR_NOT_FINITE",`Value ${n} of the tensor ${K(t)} is ${e[n]}.`)}function Ho(e){const t=tu(e.config);const{tensors:r,dataStart:n}=au(e.weights);$h(t,r);const o=new Map(r.map(a=>[a.name,
su(a,e.weights,n)]));return{config:t,tensors:o}}function $h(e,t){const r=Yh(e);const n=new Map(t.map(a=>[a.name,a]));for(const[
a,s]of r){const i=n.get(a);if(i===void 0)throw new L("TENSOR_MISSING",`The tensor ${K(a)} is missing.`);if(i.shape.length!==
s.length||s.some((l,u)=>l!==i.shape[u])){throw new L("TENSOR_MISSHAPED",`The tensor ${K(a)} has the shape [${i.shape}]; \
config.json needs [${s}].`)}}const o=t.find(({name:a})=>!r.has(a));if(o===void 0)return;throw new L("TENSOR_SURPLUS",`co\
nfig.json does not use the tensor ${K(o.name)}.`)}function Yh(e){const{patchSize:t,modelDim:r,feedForwardDim:n,heads:o,groups:a,
queryDim:s,valueDim:i}=e;const l=new Map;const u=(d,c,f,p)=>{l.set(`${d}.weight`,[c,f]);if(p)l.set(`${d}.bias`,[c])};const m=(d,c,f)=>{
u(`${d}.linear1`,4*r,c,true);u(`${d}.linear2`,f,4*r,true);u(`${d}.skip_proj`,f,c,true)};m("patch_proj",e.tokenWidth,r);e.
isVariateLayer.forEach((d,c)=>{const f=`transformer.layers.${c}`;const p=o*s+a*(s+i);u(`${f}.attn.in_proj`,p,r,e.hasAttentionBias);
u(`${f}.attn.out_proj`,r,o*i,e.hasAttentionBias);if(e.hasPerDimScale)l.set(`${f}.attn._pds.per_dim_scale`,[s]);if(e.hasQueryNorm&&
e.hasQueryNormWeight){l.set(`${f}.attn.q_norm.weight`,[s]);l.set(`${f}.attn.k_norm.weight`,[s])}u(`${f}.ffn.fc1`,2*n,r,e.
hasFeedForwardBias);u(`${f}.ffn.fc2`,r,n,e.hasFeedForwardBias);if(e.hasNormWeight){l.set(`${f}.norm1.weight`,[r]);l.set(
`${f}.norm2.weight`,[r])}l.set(`${f}.attn_tau`,[]);l.set(`${f}.mlp_tau`,[])});if(e.hasNormWeight)l.set("transformer.out_\
norm.weight",[r]);m("output_head.param_projection.proj",r,G*t);return l}var C={tokens:"tokens",queryCos:"query_cos",querySin:"query_sin",keyCos:"key_cos",keySin:"key_sin",timeMask:"time_mask",
keptMask:"kept_mask",variateMask:"variate_mask"};var nn="knots";function ft(e){return Math.max(1,Math.floor(e.queryDim/4))}
var Hh=Number.MAX_SAFE_INTEGER;function iu(e){const t=(i,l)=>e.node("Shape",[i],{attributes:{start:{int:l},end:{int:l+1}}});
const r=t(C.tokens,1);const n=t(C.keptMask,2);const o=e.node("Neg",[n]);const a=e.ints(Hh);const s=(i,l)=>e.node("Slice",
[i,o,a,e.ints(l)]);return{all:{count:r,timeMask:C.timeMask,queryCos:C.queryCos,querySin:C.querySin,variateMask:C.variateMask},
kept:{count:n,timeMask:C.keptMask,queryCos:s(C.queryCos,0),querySin:s(C.querySin,0),variateMask:s(C.variateMask,0)},keep:(i,l)=>{
const u=e.node("Reshape",[i,Qo(e,-1,r,l)]);return e.node("Reshape",[s(u,1),e.ints(-1,l)])}}}function Qo(e,...t){const r=t.
map(n=>typeof n==="number"?e.ints(n):n);return e.node("Concat",r,{attributes:{axis:{int:0}}})}function lu(e){const t=e.reduce((s,i)=>s+i.kept,0);const r=e.reduce((s,i)=>s+i.positions.length,0);let n=0;let o=r-t;const a=e.
map(s=>{const i={call:s,firstEarly:n,firstKept:o};n+=s.positions.length-s.kept;o+=s.kept;return i});return{calls:a,count:r,
kept:t}}function Re({call:e,firstEarly:t,firstKept:r},n){const o=e.positions.length-e.kept;return n<o?t+n:r+n-o}function uu(e){
const{contextPatches:t,blockPatches:r,done:n}=e;const o=n/r;const a=t+n+on(e,o)-1;return Array.from({length:a},(s,i)=>{const l=Math.
floor((i-t)/r);const u=i<t?0:Math.min(l+1,o);const m=u===0?0:t+(u-1)*r;const d=t+u*r+on(e,u);return{center:Math.floor(d/
2),groupIndex:i-m}})}function on({forecastPatches:e,blockPatches:t},r){return Math.min(t,e-r*t)}var mu=-1e30;var Qh=-1;function cu({calls:e,count:t},r){const n=new Float32Array(r*t*t).fill(mu);for(let o=0;o<r;o++){for(const a of e){
const s=a.call.isEmptyPatch[o];for(let i=0;i<a.call.positions.length;i++){const l=(o*t+Re(a,i))*t;for(let u=0;u<=i;u++){
if((s[i]??0)===(s[u]??0))n[l+Re(a,u)]=0}}}}return n}function du(e,{count:t,kept:r},n){const o=new Float32Array(n*r*t);for(let a=0;a<
n;a++){const s=(a+1)*t*t;o.set(e.subarray(s-r*t,s),a*r*t)}return o}function fu({calls:e,count:t},r){const n=new Float32Array(
t*r*r);if(r===1)return n;for(const o of e){const{isEmptyPatch:a,seriesIds:s,positions:i}=o.call;i.forEach(({groupIndex:l},u)=>{
const m=s.map((c,f)=>a[f]?.[l]===1?Qh:c);const d=Re(o,u)*r*r;m.forEach((c,f)=>{m.forEach((p,h)=>{n[d+f*r+h]=c===p?0:mu})})})}
return n}var Bh=1e4;var jh=256;function pu(e,t){const r=ft(e);const n=2*r;const o=()=>new Float32Array(t.count*r);const a={queryCos:o(),
querySin:o(),keyCos:o(),keySin:o()};for(const s of t.calls){s.call.positions.forEach(({center:i},l)=>{const u=Re(s,l)*r;
for(let m=0;m<r;m++){const d=l*R(Bh,-2*m/n);const c=(2*m+.4*n)/(1.4*n);const f=e.hasXpos?R(c,(l-i)/jh):1;a.queryCos[u+m]=
ye(d)*f;a.querySin[u+m]=qe(d)*f;a.keyCos[u+m]=ye(d)/f;a.keySin[u+m]=qe(d)/f}})}return a}var an=class{config;#t;constructor(t,r){this.config=t;this.#t=r}async run(t){const r=lu(t);const{count:n,kept:o}=r;const a=t[0]?.
tokens.length??0;const s=pu(this.config,r);const i=cu(r,a);const l=ft(this.config);const u=await this.#t.run({[C.tokens]:{
data:this.#r(r,a),shape:[a,n,this.config.tokenWidth]},[C.queryCos]:{data:s.queryCos,shape:[n,l]},[C.querySin]:{data:s.querySin,
shape:[n,l]},[C.keyCos]:{data:s.keyCos,shape:[n,l]},[C.keySin]:{data:s.keySin,shape:[n,l]},[C.timeMask]:{data:i,shape:[a,
1,n,n]},[C.keptMask]:{data:du(i,r,a),shape:[a,1,o,n]},[C.variateMask]:{data:fu(r,a),shape:[n,1,a,a]}});const m=G*this.config.
patchSize;const d=u[nn]?.data;if(!(d instanceof Float32Array&&d.length===a*o*m)){throw new Error("The session returned n\
o output of the graph's shape.")}return r.calls.map(({call:c,firstKept:f})=>c.tokens.map((p,h)=>Array.from({length:c.kept},
(b,y)=>{const g=(h*o+f-(n-o)+y)*m;return d.subarray(g,g+m)})))}#r({calls:t,count:r},n){const o=this.config.tokenWidth;const a=new Float32Array(
n*r*o);for(const s of t){s.call.tokens.forEach((i,l)=>{for(let u=0;u<s.call.positions.length;u++){const m=i.subarray(u*o,
(u+1)*o);a.set(m,(l*r+Re(s,u))*o)}})}return a}};var hu=4096;function bu(e,t){const r=Math.min(e.length,hu);const n=e.subarray(e.length-(r<t?r:r-r%t));return gu(n,Math.max(
n.length,t))}function yu(e,t){const r=e.subarray(-hu);return gu(r,Math.max(Math.ceil(r.length/t),1)*t)}function gu(e,t){
const r=new Float64Array(t);const n=new Uint8Array(r.length);const o=r.length-e.length;let a=e.find(s=>!Number.isNaN(s))??
0;r.fill(a,0,o);e.forEach((s,i)=>{if(!Number.isNaN(s)){a=s;n[o+i]=1}r[o+i]=a});return{values:r,observed:n}}function Bo(e,t){
return Uint8Array.from({length:e.length/t},(r,n)=>e.subarray(n*t,(n+1)*t).includes(1)?0:1)}function Au(e,t){const r=Bo(e,
t);return r.fill(0,r.lastIndexOf(0)+1)}function Wt({values:e,observed:t}){let r=Number.POSITIVE_INFINITY;let n=Number.NEGATIVE_INFINITY;
for(let o=0;o<e.length;o++){if(t[o]!==1)continue;r=Math.min(r,e[o]);n=Math.max(n,e[o])}return{low:r,high:n}}function jo(e,t,r,n){const o=e.length/G;const a=Float64Array.from(e,s=>Ca(s)*r+t);for(let s=0;s<G;s++)Xh(a,s,o);if(n!==void 0){
for(let s=0;s<a.length;s++){a[s]=Math.min(Math.max(a[s],n.low),n.high)}}return Array.from({length:o},(s,i)=>a.slice(i*G,
(i+1)*G).sort())}function Xh(e,t,r){let n=Number.POSITIVE_INFINITY;let o=Number.NEGATIVE_INFINITY;for(let a=0;a<r;a++){const s=e[a*
G+t];if(!Number.isFinite(s))continue;n=Math.min(n,s);o=Math.max(o,s)}if(n>o)return;for(let a=0;a<r;a++){const s=a*G+t;if(e[s]===
Number.POSITIVE_INFINITY)e[s]=o;if(e[s]===Number.NEGATIVE_INFINITY)e[s]=n}}function Su(e,t,r){const{low:n,high:o}=Wt(e);
return{low:n-r*t,high:o+r*t}}var Fu=1e-6;function Xo({values:e,observed:t},r){const n=e.length/r;const o=new Float64Array(n);const a=new Float64Array(
n);let s=0;let i=0;let l=0;let u=0;for(let m=0;m<e.length;m++){if(t[m]===1){const d=e[m];const c=l;s++;i+=d;l=i/s;u+=(d-
c)*(d-l)}if((m+1)%r===0){const d=(m+1)/r-1;o[d]=l;a[d]=Math.max(Math.sqrt(u/Math.max(s-1,1)),Fu)}}return{location:o,scale:a}}
function wu(e,t,r,n){if(n<=0)return;const o=Kh(e,n);const a=o.reduce((u,m)=>u+m,0)/Math.max(o.length,1);const s=o.reduce(
(u,m)=>u+(m-a)**2,0);const i=Math.max(Math.sqrt(s/Math.max(o.length-1,1)),Fu);let l=0;for(let u=0;u<t.location.length;u++){
for(let m=u*r;m<(u+1)*r;m++)l+=e.observed[m];if(l>=n)return;t.location[u]=a;t.scale[u]=i}}function Kh({values:e,observed:t},r){
const n=[];for(let o=0;o<e.length&&n.length<r;o++){if(t[o]===1)n.push(e[o])}return n}function Ko({values:e,observed:t},r){
const n=e.length/r;const o={count:new Float64Array(n),last:new Float64Array(n),step:new Float64Array(n)};let a=0;let s=0;
let i=0;for(let l=0;l<e.length;l++){if(t[l]===1){const u=e[l];if(a>0)i+=Math.abs(u-s);s=u;a++}if((l+1)%r===0){const u=(l+
1)/r-1;o.count[u]=a;o.last[u]=s;o.step[u]=i/Math.max(a-1,1)}}return o}function sn({location:e,scale:t},{last:r,step:n},o){
const a=1e-6*(Math.abs(e[o])+Math.abs(r[o]))+1e-8;return{spread:Math.max(t[o],a),step:Math.max(n[o],a)}}function zo(e,t,r,n){const o=new Float32Array(2*r*n);for(let a=0;a<n;a++){const s=t.location[a];const i=t.scale[a];const l=2*
r*a;for(let u=0;u<r;u++){const m=a*r+u;if(e.observed[m]===1)o[l+u]=vn((e.values[m]-s)/i);else o[l+r+u]=1}}return o}var Mu=8;
function Nu(e,t,r,n){const o=e.length/n;const a=new Float32Array(e.length+tn*n);for(let s=0;s<n;s++){const i=s*(o+tn);a.
set(e.subarray(s*o,(s+1)*o),i);a.set(zh(t,r,s),i+o)}return a}function zh(e,t,r){const{spread:n,step:o}=sn(e,t,r);const a=t.
last[r]-e.location[r];const s=[vn(a/n),N(n/o),N(t.count[r]+1)/4];return s.map(i=>Math.min(Math.max(i,-Mu),Mu))}function Eu(e){const{low:t,high:r}=Wt(e);if(!(t<r))return null;return{level:e.values[0],unit:R(2,Math.floor(kn(_u(t,r))))}}
function _u(e,t){return Math.max(t/2-e/2,Number.MIN_VALUE)}function xu(e,{level:t,unit:r}){return{values:e.values.map(n=>n/
r-t/r),observed:e.observed}}function Ru(e,{level:t,unit:r}){return Math.max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,
(e+t/r)*r))}var Jh=-11;var Zh=256;var eb=2**10;function Jo(e){const{low:t,high:r}=Wt(e);if(!(t<r))return null;const n=_u(
t,r);const o=Math.floor(kn(n));const a=R(2,o-Math.min(Math.max(o,Jh),Zh));const s=t>0?t:Math.min(r,0);const i=eb*n;return{
level:s-Math.min(Math.max(s,-i),i),unit:a}}var tb={cutContext:bu,chooseUnits:Eu,markObserved:(e,t)=>void e.fill(1,e.length-t),findEmptyPatches:Bo,read:(e,t,r)=>{const n=Xo(
e,t);wu(e,n,t,r);return{statistics:n,steps:Ko(e,t)}},writeTokens:(e,{statistics:t},r,n)=>zo(e,t,r,n),allowedRange:(e,{statistics:t},r,n)=>n>
0?Su(e,t.scale[r],n):void 0,restore:(e,{statistics:{location:t,scale:r}},n,o)=>jo(e,t[n],r[n],o)};var Iu=14;var rb={cutContext:yu,
chooseUnits:Jo,markObserved:()=>void 0,findEmptyPatches:Au,read:(e,t)=>({statistics:Xo(e,t),steps:Ko(e,t)}),writeTokens:(e,{
statistics:t},r,n)=>zo(e,t,r,n),allowedRange:()=>void 0,restore:(e,{statistics:t,steps:r},n,o)=>{const{spread:a,step:s}=sn(
t,r,n);const i=e.map(l=>Math.min(Math.max(l,-Iu),Iu));return jo(i,r.last[n],Math.sqrt(a*s),o)}};function ln({hasAnchoredOutput:e,
hasExtraStatistics:t}){const r=e?rb:tb;return t?nb(r):r}function nb(e){return{...e,chooseUnits:Jo,writeTokens:(t,r,n,o)=>{
const a=e.writeTokens(t,r,n,o);return Nu(a,r.statistics,r.steps,o)}}}var ob=128;async function un(e,t,r,n){const{config:o}=e;const a=ln(o);const s=t.map(i=>new Zo(i,r,o.patchSize,a));for(let i=s;i.
length>0;i=i.filter(l=>!l.isDone)){for(const l of ab(i)){D(n);const u=await e.run(l.map(m=>m.nextCall()));l.forEach((m,d)=>{
m.accept(u[d]??[])})}}return s.map(i=>i.result())}function ab(e){const t=[];let r=0;for(const n of e){r+=n.positions;const o=t.
at(-1);if(o!==void 0&&r<=ob)o.push(n);else{t.push([n]);r=n.positions}}return t}var sb=(G-1)/2;var Zo=class{#t;#r;#e;#n;#o;#a;#s;#i;#u;#m=[];#l;constructor(t,r,n,o){
const a=(t.rows[0]?.values.length??0)/n;const s=Math.ceil(t.horizon/n);const i=Math.min(r.decodeBlockSize/n||s,s);this.#l=
{contextPatches:a,forecastPatches:s,blockPatches:i,done:0};this.#t=t.rows.map(l=>ib(l,n*s));this.#e=this.#t.map(({observed:l})=>{
const u=l.subarray(0,a*n);o.markObserved(u,n);return o.findEmptyPatches(u,n)});this.#i=t.rows.map(()=>[]);this.#r=t.seriesIds;
this.#n=n;this.#o=o;this.#a=r;this.#s=t.horizon}get isDone(){return this.#l.done>=this.#l.forecastPatches}get positions(){
const{contextPatches:t,done:r}=this.#l;return t+r+this.#c-1}nextCall(){const{scalerFallbackMinObs:t,quantileRealCapK:r}=this.#a;
this.#m=this.#t.map(a=>this.#o.read(a,this.#n,t));const n=this.#l.contextPatches-1;this.#u??=this.#t.map((a,s)=>this.#o.
allowedRange(a,this.#m[s],n,r));const o=uu(this.#l);return{tokens:this.#t.map((a,s)=>this.#o.writeTokens(a,this.#m[s],this.#n,
o.length)),positions:o,kept:this.#c,isEmptyPatch:this.#e,seriesIds:this.#r}}accept(t){const r=this.#l.contextPatches+this.#l.
done;t.forEach((n,o)=>{const a=this.#t[o];const s=this.#m[o];n.forEach((i,l)=>{const u=r+l;const m=this.#o.restore(i,s,u,
this.#u?.[o]);this.#i[o]?.push(...m);const d=m.map(c=>c[sb]);a.values.set(d,u*this.#n);a.observed.fill(1,u*this.#n,(u+1)*
this.#n)})});this.#l={...this.#l,done:this.#l.done+this.#c}}result(){return this.#i.map(t=>t.slice(0,this.#s))}get#c(){return on(
this.#l,this.#l.done/this.#l.blockPatches)}};function ib(e,t){const r=e.values.length+t;const n=new Float64Array(r);const o=new Uint8Array(
r);n.set(e.values);o.set(e.observed);return{values:n,observed:o}}var Tu=768;var Pu=4096;var lb=8;var ub=1e4;async function ku(e,{series:t,windows:r,quantiles:n},o){D(o);const{patchSize:a}=e.
config;const s=ln(e.config);const i=r.map(d=>vu(()=>{Y(n,db);return mb(t.values,d,n,a,s)}));const l=Math.max(a,Tu-Tu%a);
const u=await Ou(e,i,d=>d<=l,0,o);const m=await Ou(e,i,d=>d>l,l,o);return i.map(d=>{if(!("forecast"in d))return d;const c=u.
get(d)??m.get(d)??[];return vu(()=>({rows:cb(c,d.units,n)}))})}function mb(e,{length:t,horizon:r},n,o,a){if(!(Number.isInteger(
r)&&r>=1&&r<=Pu)){throw new I("UNSUPPORTED_HORIZON",`toto forecasts 1 to ${Pu} steps, not ${r}.`)}const s=a.cutContext(e.
subarray(0,t),o);if(!s.observed.includes(1)){throw new I("INSUFFICIENT_HISTORY","toto needs an observation in the period\
s that it looks back on.")}if(!s.values.every(Number.isFinite))throw new I("INVALID_SERIES","The series holds an infinit\
e value.");const i=a.chooseUnits(s);if(i===null)return{rows:j(s.values[0])(r,n)};return{forecast:{rows:[xu(s,i)],seriesIds:[
0],horizon:r},units:i}}async function Ou(e,t,r,n,o){const a=t.filter(l=>"forecast"in l).filter(({forecast:l})=>r(l.horizon));
const s={decodeBlockSize:n,scalerFallbackMinObs:lb,quantileRealCapK:ub};const i=await un(e,a.map(({forecast:l})=>l),s,o);
return new Map(a.map((l,u)=>[l,i[u]?.[0]??[]]))}function cb(e,t,r){ea(e);return e.map(n=>fb(n,r).map(o=>Ru(o,t)))}function ea(e){
if(e.every(t=>t.every(Number.isFinite)))return;throw new I("NOT_CONVERGED","The forecast leaves the range of numbers.")}
function vu(e){try{return e()}catch(t){if(!(t instanceof I))throw t;return{failure:{code:t.code,message:t.message}}}}var db={
min:.1,max:.9,interpolation_inside_range:true};function fb(e,t){return Float64Array.from(t,r=>{const n=r*10-1;const o=Math.
min(Math.floor(n),G-1);const a=e[o];const s=e[Math.min(o+1,G-1)];return Math.min(s,a+(n-o)*(s-a))})}async function Cu(e,t,r){pb(t,e.config.patchSize);const n=t.target.map((a,s)=>({rows:a.map((i,l)=>({values:Float64Array.
from(i),observed:Uint8Array.from(t.mask[s]?.[l]??[],Number)})),seriesIds:t.seriesIds[s]??[],horizon:t.horizon}));const o=await un(
e,n,t,r);for(const a of o.flat())ea(a);return o}function pb({target:e,mask:t,seriesIds:r,horizon:n,decodeBlockSize:o},a){
const s=e[0]?.[0]?.length??0;const i=e[0]?.length??0;if(s===0||s%a!==0)throw new RangeError(`A target must have whole pa\
tches of ${a}.`);const l=e.every((u,m)=>u.length===i&&r[m]?.length===i&&u.every((d,c)=>d.length===s&&t[m]?.[c]?.length===
s));if(!l)throw new RangeError("Targets, masks and ids must have the same shape in every set.");if(!(Number.isInteger(n)&&
n>=1))throw new RangeError("A horizon has at least one step.");if(!(o>=0&&o%a===0)){throw new RangeError(`A block must h\
ave whole patches of ${a}.`)}}var hb=0;var bb=2;var yb=5;var B=class{#t=[];#r=0;integer(t,r){this.#n(Ut(BigInt(t*8+hb)));return this.#n(Ut(BigInt.asUintN(
64,BigInt(r))))}float(t,r){this.#n(Ut(BigInt(t*8+yb)));const n=new Uint8Array(4);new DataView(n.buffer).setFloat32(0,r,true);
return this.#n(n)}text(t,r){return this.bytes(t,new TextEncoder().encode(r))}bytes(t,r){return this.#e(t,r.length).#n(r)}message(t,r){
this.#e(t,r.#r);for(const n of r.#t)this.#n(n);return this}get size(){return this.#r}toBytes(){const t=new Uint8Array(this.#r);
let r=0;for(const n of this.#t){t.set(n,r);r+=n.length}return t}#e(t,r){this.#n(Ut(BigInt(t*8+bb)));return this.#n(Ut(BigInt(
r)))}#n(t){this.#t.push(t);this.#r+=t.length;return this}};function Ut(e){const t=[];let r=e;while(r>=128n){t.push(Number(
r&127n)|128);r>>=7n}t.push(Number(r));return Uint8Array.from(t)}var Lu=1;var gb=7;function Du(e,t,r){return Wu(e,Lu,r,new Uint8Array(t.buffer,t.byteOffset,t.byteLength))}function qu(e,t){
const r=BigInt64Array.from(t,BigInt);return Wu(e,gb,[t.length],new Uint8Array(r.buffer))}function Wu(e,t,r,n){const o=new B;
for(const a of r)o.integer(1,a);return o.integer(2,t).text(8,e).bytes(9,n)}function ta(e){const t=new B;for(const r of e.
inputs)t.text(1,r);for(const r of e.outputs)t.text(2,r);t.text(4,e.operator).text(7,e.domain);for(const[r,n]of Object.entries(
e.attributes))t.message(5,Ab(r,n));return t}function Ab(e,t){const r=new B().text(1,e);if("float"in t)return r.float(2,t.
float).integer(20,1);if("int"in t)return r.integer(3,t.int).integer(20,2);for(const n of t.ints)r.integer(8,n);return r.
integer(20,7)}function ra(e,t){const r=new B;for(const o of t){const a=new B;r.message(1,typeof o==="number"?a.integer(1,
o):a.text(2,o))}const n=new B().integer(1,Lu).message(2,r);return new B().text(1,e).message(2,new B().message(1,n))}function Uu(e,t){
const r=new B().integer(1,Sb).text(2,"almanac").message(7,e);for(const[n,o]of Object.entries(t)){r.message(8,new B().text(
1,n).integer(2,o))}return r}var Sb=8;var Ge="com.microsoft";var Fb={"":17,[Ge]:1};var Vu=2**31-1;var mn=class{#t=[];#r=[];#e=[];#n=[];#o=0;input(t,r){this.#e.
push(ra(t,r));return t}output(t,r,n){this.#n.push(ra(t,r));this.#t.push(ta({operator:"Identity",domain:"",inputs:[n],outputs:[
t],attributes:{}}))}floats(t,r){const n=this.#a();this.#r.push(Du(n,t,r));return n}ints(...t){const r=this.#a();this.#r.
push(qu(r,t));return r}node(t,r,n={}){return this.nodes(t,r,1,n)[0]}nodes(t,r,n,o={}){const{domain:a="",attributes:s={}}=o;
const i=Array.from({length:n},()=>this.#a());this.#t.push(ta({operator:t,domain:a,inputs:r,outputs:i,attributes:s}));return i}toBytes(){
const t=new B;for(const n of this.#t)t.message(1,n);t.text(2,"toto");for(const n of this.#r)t.message(5,n);for(const n of this.#e)
t.message(11,n);for(const n of this.#n)t.message(12,n);const r=Uu(t,Fb);if(r.size<=Vu)return r.toBytes();throw new L("TO\
O_LARGE",`The weights make a graph of ${r.size} bytes, more than ${Vu}.`)}#a(){this.#o++;return`v${this.#o}`}};var wb=1.766782948312328;function Gu(e,t){return e.node("QuickGelu",[t],{domain:Ge,attributes:{alpha:{float:1}}})}function Vt(e,t,{
weight:r,outputs:n,factor:o,added:a}){const s=e.floats(r,[n,r.length/n]);const i=a instanceof Float32Array?e.floats(a,[n]):
a;return e.node("Gemm",i===void 0?[t,s]:[t,s,i],{attributes:{transB:{int:1},alpha:{float:o}}})}function Gt(e,t,r,n){const{
name:o,outputs:a,factor:s}=n;const i=t.scaled(`${o}.bias`,s);return Vt(e,r,{weight:t.raw(`${o}.weight`),outputs:a,factor:s,
added:i})}function na(e,t,r,n){const{name:o,outputs:a}=n;const s=Math.SQRT1_2/n.hiddenScale;const i=Math.SQRT1_2/n.skipScale;
const l={name:`${o}.linear1`,outputs:n.hidden,factor:1/Math.sqrt(n.inputs)};const u=Gu(e,Gt(e,t,r,l));const m=t.scaled(`${o}\
.linear2.bias`,s);const d=Vt(e,r,{weight:t.raw(`${o}.skip_proj.weight`),outputs:a,factor:i,added:t.scaled(`${o}.skip_pro\
j.bias`,i)?.map((c,f)=>c+(m?.[f]??0))});return Vt(e,u,{weight:t.raw(`${o}.linear2.weight`),outputs:a,factor:wb*s,added:d})}
function $u(e,t,r,n){const{name:o,modelDim:a,hidden:s,factor:i}=n;const l={name:`${o}.fc1`,outputs:2*s,factor:1/Math.sqrt(
a)};const u={name:`${o}.fc2`,outputs:a,factor:i/Math.sqrt(s)};const m=Gt(e,t,r,l);const[d,c]=e.nodes("Split",[m],2,{attributes:{
axis:{int:-1}}});return Gt(e,t,e.node("Mul",[d,Gu(e,c)]),u)}function cn(e,t,r,n){return e.node("SimplifiedLayerNormaliza\
tion",[t,e.floats(r,[r.length])],{attributes:{axis:{int:-1},epsilon:{float:n}}})}function oa(e,t,r,n,o){const a=e.floats(
n,[n.length]);const[s,,,i]=e.nodes("SkipSimplifiedLayerNormalization",[t,r,a],4,{domain:Ge,attributes:{epsilon:{float:o}}});
return{state:i,normed:s}}var dn=class{#t;#r;#e;#n;#o;constructor(t,r,n,o){this.#t=t;this.#r=r;this.#e=n;this.#n=o;this.#o=Mb(n,o,r)}width(...t){return t.
reduce((r,n)=>r+this.#o[n].length,0)}project(t,...r){const{modelDim:n,hasAttentionBias:o}=this.#e;const a=r.flatMap(u=>this.#o[u]);
const s=`${this.#n}.attn.in_proj`;const i=1/Math.sqrt(n);const l=o?this.#r.rows(`${s}.bias`,1,a):void 0;return Vt(this.#t,
t,{weight:this.#r.rows(`${s}.weight`,n,a),outputs:a.length,factor:i,added:l?.map(u=>i*u)})}split(t,...r){const n=this.#t.
ints(...r.map(o=>this.width(o)));return this.#t.nodes("Split",[t,n],r.length,{attributes:{axis:{int:-1}}})}normQueries(t){
if(!this.#e.hasQueryNorm)return t;return this.#a(t,"q_norm",Yu(this.#e,this.#n,this.#r))}normKeys(t){return this.#e.hasQueryNorm?
this.#a(t,"k_norm",void 0):t}#a(t,r,n){const{heads:o,queryDim:a,hasQueryNormWeight:s,normEpsilon:i}=this.#e;const l=s?this.#r.
raw(`${this.#n}.attn.${r}.weight`):void 0;const u=Float32Array.from({length:a},(c,f)=>(l?.[f]??1)*(n?.[f]??1));const m=this.#t;
const d=m.node("Reshape",[t,m.ints(0,0,o,a)]);return m.node("Reshape",[cn(m,d,u,i),m.ints(0,0,o*a)])}};function Mb(e,t,r){
const{heads:n,groups:o,queryDim:a,valueDim:s}=e;const i=e.hasQueryNorm?void 0:Yu(e,t,r);const l=d=>Math.floor(d*o/n);const u=n*
a;const m=u+o*a;return{queries:aa(n,a,(d,c)=>({row:d*a+c,factor:i?.[c]??1})),keys:aa(n,a,(d,c)=>({row:u+l(d)*a+c,factor:1})),
values:aa(n,s,(d,c)=>({row:m+l(d)*s+c,factor:1}))}}function Yu(e,t,r){if(!e.hasPerDimScale)return void 0;const n=r.raw(`${t}\
.attn._pds.per_dim_scale`);return Float64Array.from(n,o=>(Math.max(o,0)+je(v(-Math.abs(o))))/Math.LN2)}function aa(e,t,r){
return Array.from({length:e*t},(n,o)=>r(Math.floor(o/t),o%t))}var fn=class{#t;#r;#e;constructor(t,r,n,o){this.#t=t;this.#r=n;this.#e=new dn(t,r,n,o)}overTime(t,r){const n=["queries",
"keys","values"];const o=this.#s(this.#e.project(t,...n),r,this.#e.width(...n));const[a,s,i]=this.#e.split(o,...n);return this.#n(
a,s,i,r)}overTimeOfKept(t,r,n,o){const a=this.#s(this.#e.project(n,"queries"),o,this.#e.width("queries"));const s=["keys",
"values"];const i=this.#s(this.#e.project(t,...s),r,this.#e.width(...s));const[l,u]=this.#e.split(i,...s);return this.#n(
a,l,u,o)}overVariates(t,r){const n=["queries","keys","values"];const o=this.#s(this.#e.project(t,...n),r,this.#e.width(...n));
const a=this.#u(o);const[s,i,l]=this.#e.split(a,...n);const u=this.#o(this.#e.normQueries(s),this.#e.normKeys(i),l,r.variateMask);
return this.#i(this.#u(u))}#n(t,r,n,o){const a=this.#a(this.#e.normQueries(t),o.queryCos,o.querySin);const s=this.#a(this.#e.
normKeys(r),C.keyCos,C.keySin);return this.#i(this.#o(a,s,n,o.timeMask))}#o(t,r,n,o){return this.#t.node("MultiHeadAtten\
tion",[t,r,n,"","",o],{domain:Ge,attributes:{num_heads:{int:this.#r.heads},scale:{float:1/this.#r.queryDim}}})}#a(t,r,n){
const{heads:o,queryDim:a}=this.#r;return this.#t.node("RotaryEmbedding",[t,this.#t.ints(0),r,n],{domain:Ge,attributes:{interleaved:{
int:1},num_heads:{int:o},rotary_embedding_dim:{int:a/2}}})}#s(t,r,n){return this.#t.node("Reshape",[t,Qo(this.#t,-1,r.count,
n)])}#i(t){return this.#t.node("Reshape",[t,this.#t.ints(-1,this.#e.width("values"))])}#u(t){return this.#t.node("Transp\
ose",[t],{attributes:{perm:{ints:[1,0,2]}}})}};var pn=class{#t;constructor(t){this.#t=t.tensors}raw(t){const r=this.#t.get(t);if(r===void 0)throw new L("TENSOR_MISSING",
`The tensor ${t} is missing.`);return r}number(t){return this.raw(t)[0]}scaled(t,r){return this.#t.get(t)?.map(n=>r*n)}rows(t,r,n){
const o=this.raw(t);const a=new Float32Array(n.length*r);for(let s=0;s<n.length;s++){const{row:i,factor:l}=n[s];a.set(o.
subarray(i*r,(i+1)*r),s*r);if(l===1)continue;for(let u=s*r;u<(s+1)*r;u++)a[u]=l*a[u]}return a}};function Hu(e){const{config:t}=e;const{patchSize:r,tokenWidth:n,modelDim:o}=t;const a=new mn;const s=new pn(e);Eb(a,t);const i=na(
a,s,a.node("Reshape",[C.tokens,a.ints(-1,n)]),{name:"patch_proj",inputs:n,hidden:4*o,outputs:o,hiddenScale:Math.sqrt(4*o),
skipScale:Math.sqrt(n)});const l=na(a,s,Nb(a,s,t,i),{name:"output_head.param_projection.proj",inputs:o,hidden:4*o,outputs:G*
r,hiddenScale:4*o,skipScale:o});a.output(nn,["results",G*r],l);return a.toBytes()}function Nb(e,t,r,n){const{modelDim:o,
isVariateLayer:a}=r;const{all:s,kept:i,keep:l}=iu(e);const u=new sa(r.normEpsilon);const m=p=>r.hasNormWeight?t.raw(p):new Float32Array(
o).fill(1);const d=a.lastIndexOf(false);let c=d===-1?l(n,o):n;let f=cn(e,c,m("transformer.layers.0.norm1.weight"),u.epsilon);
a.forEach((p,h)=>{const b=`transformer.layers.${h}`;const y=new fn(e,t,r,b);let g;if(p)g=y.overVariates(f,h<d?s:i);else if(h<
d)g=y.overTime(f,s);else{g=y.overTimeOfKept(f,s,l(f,o),i);c=l(c,o)}const F=Gt(e,t,g,{name:`${b}.attn.out_proj`,outputs:o,
factor:u.addBranch(t,`${b}.attn_tau`)/Math.sqrt(r.heads*r.valueDim)});({state:c,normed:f}=oa(e,c,F,m(`${b}.norm2.weight`),
u.epsilon));const S=$u(e,t,f,{name:`${b}.ffn`,modelDim:o,hidden:r.feedForwardDim,factor:u.addBranch(t,`${b}.mlp_tau`)});
const A=h===a.length-1;const w=A?"transformer.out_norm.weight":`transformer.layers.${h+1}.norm1.weight`;({state:c,normed:f}=
oa(e,c,S,m(w),u.epsilon))});return f}function Eb(e,t){const r=ft(t);e.input(C.tokens,["variates","positions",t.tokenWidth]);
for(const n of[C.queryCos,C.querySin,C.keyCos,C.keySin]){e.input(n,["positions",r])}e.input(C.timeMask,["variates",1,"po\
sitions","positions"]);e.input(C.keptMask,["variates",1,"kept","positions"]);e.input(C.variateMask,["positions",1,"varia\
tes","variates"])}var _b=1e6;var sa=class{#t;#r=1;constructor(t){this.#t=t}get epsilon(){return this.#t*this.#r**2}addBranch(t,r){
const n=t.number(r);const o=n*this.#r;this.#r*=Math.sqrt(1+n**2);if(this.#r<=_b)return o;throw new L("TENSOR_OUT_OF_RANG\
E",`The tensor ${r} lets the state grow too far: it is ${n}.`)}};async function Qu(e,t){const r=await t(Hu(e));const n=new an(e.config,r);return{forecast:(o,a)=>Cu(n,o,a),forecastWindows:(o,a)=>ku(
n,o,a)}}function Bu(e,t,r){const{series:n,windows:o,quantiles:a,seed:s}=t;let i;return o.map(({length:l,horizon:u})=>{const m=i!==
void 0&&i.length<=l?i.forecaster:void 0;const d={...n,values:n.values.subarray(0,l),times:n.times.subarray(0,l)};try{const c=e.
fit(d,{seed:s,signal:r,earlierFit:m});i={forecaster:c,length:l};return{rows:c(u,a)}}catch(c){if(!(c instanceof I)||c.code===
"ABORTED")throw c;return{failure:{code:c.code,message:c.message}}}})}export{zl as ENGINE_VERSION,Z as MODEL_CATALOG,I as ModelError,rl as createModels,Bu as fitWindows,Jl as forecast,Ho as readCheckpoint,
Qu as startToto};
