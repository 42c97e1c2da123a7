var It=["exchange","currency","plain"];var Rl=e=>e+1;var G=class extends Error{name="SeriesError";code;index;#t;constructor(t,r,n=null){const o=typeof r==="str\
ing"?()=>r:r;super(o(Rl));this.code=t;this.index=n;this.#t=o}formatMessage(t){return this.#t(t)}};var Fo=1e3;var te=60*Fo;var re=60*te;var E=24*re;var he=Date.UTC(1800,0,1);var be=Date.UTC(2201,0,1)-1;function $(e){const t=new Date(
e);return Number.isNaN(t.getTime())?String(e):t.toISOString()}var Qr=1e15;function Le(e,t){let r=Number.NEGATIVE_INFINITY;for(let n=0;n<e.length;n++){const o=e[n]??Number.NaN;const a=(s,i)=>new G(
s,l=>{const u=typeof i==="string"?i:i(l);return`Row ${l(n)} (${$(o)}) ${u}.`},n);if(!Number.isFinite(o))throw a("NON_FIN\
ITE","has no timestamp");if(o<t.earliest||o>t.latest){const s=`${$(t.earliest)} to ${$(t.latest)}`;throw a("OUT_OF_RANGE",
`is outside the dates served, ${s}`)}if(o===r){throw a("DUPLICATE",s=>`repeats the timestamp of row ${s(n-1)}`)}if(o<r)throw a(
"UNSORTED","is earlier than the row before it");r=o}}function wo(e){for(let t=0;t<e.length;t++){const r=e[t]??Number.NaN;
if(!Number.isFinite(r)){throw new G("NON_FINITE",n=>`Row ${n(t)} has no finite value.`,t)}if(Math.abs(r)>Qr){throw new G(
"OUT_OF_RANGE",n=>`Row ${n(t)} has a value beyond ${Qr} either way.`,t)}}}function Ot(e,t){for(let r=0;r<e.length;r++){const n=e[r]??
Number.NaN;if(t.contains(n))continue;throw new G("MISALIGNED",o=>`Row ${o(r)} (${$(n)}) is not ${t.rule}.`,r)}}var ne=0;var rt=1;var Eo=3;var Hr=4;var No=5;var nt=6;function I(e,t,r){return Date.UTC(e,t-1,r)}function z(e){return((e/E+Hr)%7+7)%7}function oe(e,t,r,n){
if(n===-1){const a=I(e,t+1,0);return a-(z(a)-r+7)%7*E}const o=I(e,t,1);return o+((r-z(o)+7)%7+(n-1)*7)*E}var Yr=-5*re;var _o=-4*re;var Mo=1987;var xo=new Map;function Tl(e){const t=xo.get(e)??Il(e);xo.set(e,t);return t}function Il(e){
const[t,r]=e<2007?[oe(e,4,ne,1),oe(e,10,ne,-1)]:[oe(e,3,ne,2),oe(e,11,ne,1)];return{from:t+2*re-Yr,to:r+2*re-_o}}function Ro(e){
const t=new Date(e).getUTCFullYear();if(!(t>=Mo))throw new RangeError(`New York time is known from ${Mo}, not ${$(e)}.`);
const{from:r,to:n}=Tl(t);return e>=r&&e<n?_o:Yr}function ge(e){return Math.floor((e+Ro(e))/E)*E}function Ae(e,t){const r=e+t*te;return r-Ro(r-Yr)}var To=7*E;var Ol=17*60;var Io=Date.UTC(1987,0,3);function Oo(e){return Math.floor((e-Io)/To)}function Po(e){const t=Io+
e*To;const r=e<0?t+2*E:Ae(t+E,Ol);return{open:r,close:r+5*E}}function Pt(e){const t=l=>{const{open:u,close:c}=Po(l);return{number:l,first:Math.floor(u/e)*e,last:Math.floor((c-1)/e)*
e}};let r=t(0);const n=l=>{const u=Oo(l);if(r.number!==u)r=t(u);return r};const o=l=>{const{first:u,last:c}=t(l);return(c-
u)/e+1};const[a,s]=[o(-1),o(0)];const i=l=>{const{number:u,first:c}=n(l);return u*(u<0?a:s)+(l-c)/e};return{rule:e===E?"\
a day on which currencies trade, at 00:00 UTC":"the start of a period in which currencies trade, Sunday 17:00 to Friday \
17:00 in New York",earliest:he,latest:be,contains(l){if(l%e!==0)return false;const{first:u,last:c}=n(l);return l>=u&&l<=
c},next(l){const{number:u,last:c}=n(l);const m=l<c?l+e:t(u+1).first;if(m>be)throw new RangeError(`${$(m)} is after the y\
ear 2200.`);return m},steps:(l,u)=>i(u)-i(l)}}function Br(e){if(z(e)===nt)return e-E;return z(e)===ne?e+E:e}function Pl(e){const t=I(e,1,1);return z(t)===ne?t+E:t}function jr(e){
return oe(e,11,Hr,4)}function vo(e){const t=[Pl(e),oe(e,2,rt,3),vl(e)-2*E,oe(e,5,rt,-1),Br(I(e,7,4)),oe(e,9,rt,1),jr(e),
Br(I(e,12,25))];if(e>=1998)t.push(oe(e,1,rt,3));if(e>=2022)t.push(Br(I(e,6,19)));return new Set(t)}function vl(e){const t=e%
19;const r=Math.floor(e/100);const n=e%100;const o=Math.floor((r-Math.floor((r+8)/25)+1)/3);const a=(19*t+r-Math.floor(r/
4)-o+15)%30;const s=(32+2*(r%4)+2*Math.floor(n/4)-a-n%4)%7;const i=Math.floor((t+11*a+22*s)/451);const l=a+s-7*i+114;return I(
e,Math.floor(l/31),l%31+1)}function kl(e){return(e<1993?14:13)*60}function Cl(e,t){if(t<1995)return false;if(e===I(t,7,5))return z(e)===No&&t<2013;
return e===I(t,7,3)&&(z(e)!==Eo||t>=2013)}function ko(e){const t=new Date(e).getUTCFullYear();const r=e===I(t,12,24)||e===
jr(t)+E&&t>=1992||Cl(e,t);return r?kl(t):null}var Co=new Set([I(1994,4,27),I(2001,9,11),I(2001,9,12),I(2001,9,13),I(2001,9,14),I(2004,6,11),I(2007,1,2),I(2012,10,29),
I(2012,10,30),I(2018,12,5),I(2025,1,9)]);var Lo=new Map([[I(1990,12,27),{open:11*60}],[I(1994,2,11),{close:14*60+30}],[I(
1995,12,18),{open:10*60+30}],[I(1996,1,8),{open:11*60,close:14*60}],[I(1997,10,27),{close:15*60+30}],[I(1997,12,26),{close:13*
60}],[I(1999,12,31),{close:13*60}],[I(2002,9,11),{open:12*60}],[I(2003,12,26),{close:13*60}]]);var vt=1990;var kt=2200;var le=I(vt,1,1);var Se=I(kt,12,31);var Do;function Ct(){Do??=Ll();return Do}function Ll(){const e=[];
const t=[];for(let r=vt;r<=kt;r++){const n=vo(r);const o=I(r+1,1,1);for(let a=I(r,1,1);a<o;a+=E){const s=z(a);t.push(e.length);
const i=s===nt||s===ne||n.has(a)||Co.has(a);if(!i)e.push(a)}}return{dates:Float64Array.from(e),ranks:Int32Array.from(t)}}
function De(e){if(e%E!==0)throw new RangeError(`A session date is 00:00 UTC, not ${$(e)}.`);if(!(e>=le&&e<=Se)){throw new RangeError(
`Exchange sessions are known from ${vt} to ${kt}, not ${$(e)}.`)}return Ct().ranks[(e-le)/E]}function Dl(e){const t=Ct().
dates[e];if(t===void 0)throw new RangeError(`No exchange session is known before ${vt} or after ${kt}.`);return t}function ae(e){
return Ct().dates[De(e)]===e}function Lt(e){return Dl(De(e)+(ae(e)?1:0))}function Xr(e,t){return Ct().dates.slice(De(e),De(t)+(ae(t)?1:0))}function Kr(e,t){return De(t)-De(e)}var ql=9*60+30;var Ul=16*60;var Wl=4*60;var Vl=4*60;function ot(e,t="regular"){if(!ae(e))throw new RangeError(`${$(e)} i\
s not an exchange session.`);const r=Lo.get(e);const n=r?.close??ko(e)??Ul;if(t==="extended"){return{open:Ae(e,Wl),close:Ae(
e,n+Vl)}}return{open:Ae(e,r?.open??ql),close:Ae(e,n)}}function qo(e,t){const r=i=>Math.floor(i/e)*e;let n={day:Number.NaN,first:Number.NaN,last:Number.NaN};const o=i=>{if(n.day!==
i){const{open:l,close:u}=ot(i,t);n={day:i,first:r(l),last:r(u-1)}}return n};const a=i=>{const{first:l,last:u}=o(i);return(u-
l)/e+1};const s=i=>(i-o(ge(i)).first)/e;return{rule:`the start of a period within the ${t} hours of an exchange session`,
earliest:le+E,latest:Se-E,contains(i){const l=ge(i);if(i%e!==0||!ae(l))return false;const{first:u,last:c}=o(l);return i>=
u&&i<=c},next(i){const l=ge(i);return i<o(l).last?i+e:o(Lt(l)).first},steps(i,l){const[u,c]=[ge(i),ge(l)];let m=s(l)-s(i);
for(const d of Xr(u,c))if(d!==c)m+=a(d);return m}}}var Uo={rule:"the date of an exchange session at 00:00 UTC",earliest:le,
latest:Se,contains:e=>e%E===0&&ae(e),next:Lt,steps:Kr};var Gl=-3*E;var Jr={"1min":{step:te,origin:0},"5min":{step:5*te,origin:0},"15min":{step:15*te,origin:0},"30min":{step:30*
te,origin:0},"1h":{step:re,origin:0},"4h":{step:4*re,origin:0},"1D":{step:E,origin:0},"1W-MON":{step:7*E,origin:Gl},"1MS":{
months:1},"1ME":{months:1},"1QE":{months:3},"1YE":{months:12}};function Dt(e,t){if(!(t>=he&&t<=be)){throw new RangeError(
`${$(t)} is outside the years 1800 to 2200.`)}const r=Jr[e];if("step"in r)return Math.floor((t-r.origin)/r.step);const n=new Date(
t);const o=(n.getUTCFullYear()-1970)*12+n.getUTCMonth();return Math.floor(o/r.months)}function Wo(e,t){const r=Jr[e];return"\
step"in r?r.origin+t*r.step:Date.UTC(1970,t*r.months)}function qt(e,t){return Wo(e,Dt(e,t))}function _e(e,t){return Wo(e,
Dt(e,t)+1)}function Ut(e,t,r){return Dt(e,r)-Dt(e,t)}function Re(e,t){const r=e==="1ME"||e==="1QE"||e==="1YE";return r?_e(e,t)-E:qt(
e,t)}function Te(e){const t=Jr[e];return"step"in t?t.step:null}function qe(e){const t=Te(e);return t!==null&&t<E?t:null}var $l={"1min":"a full minute","5min":"a full five minutes of the hour","15min":"a full quarter of an hour","30min":"a f\
ull half hour","1h":"a full hour in UTC","4h":"00:00, 04:00, 08:00, 12:00, 16:00 or 20:00 UTC","1D":"00:00 UTC","1W-MON":"\
a Monday at 00:00 UTC","1MS":"the first day of a month at 00:00 UTC","1ME":"the last day of a month at 00:00 UTC","1QE":"\
the last day of a calendar quarter at 00:00 UTC","1YE":"31 December at 00:00 UTC"};function Wt(e){return{rule:$l[e],earliest:he,
latest:be,contains:t=>Re(e,t)===t,next:t=>Re(e,_e(e,t)),steps:(t,r)=>Ut(e,t,r)}}function ue({frequency:e,kind:t,hours:r}){if(t==="plain")return Wt(e);if(t==="currency")return Ql(e);if(e==="1D")return Uo;
const n=qe(e);return n===null||r===void 0?Wt(e):qo(n,r)}function Ql(e){const t=Te(e);return t!==null&&t<=E?Pt(t):Wt(e)}var at=["1min","5min","15min","30min","1h","4h","1D","1W-MON","1MS"];var Ie=[...at,"1ME","1QE","1YE"];function Zr(e){return Ie.includes(e)}var Hl={"1min":"1Min","5min":"5Min","15min":"15Min",
"30min":"30Min","1h":"1Hour","4h":"4Hour","1D":"1Day","1W-MON":"1Week","1MS":"1Month"};var en=at.map(e=>Object.freeze({frequency:e,
timeframe:Hl[e],bucket_timezone:"UTC",calendar_period:e==="1W-MON"?"week":e==="1MS"?"month":null,...e==="1W-MON"?{week_start:"\
Monday"}:{},completed_bars_only:true,missing_intervals:"not_filled"}));var Go=5e4;function st(e,t,r,n=Go){if(t.length!==r.length){const a=`${t.length} timestamps and ${r.length} values`;throw new G(
"LENGTH_MISMATCH",`The rows have ${a}; each row needs one of each.`)}const o=ue(e);Le(t,o);wo(r);Ot(t,o);return jl(o,t,r,
n)}function jl(e,t,r,n){const[o,a]=[t[0],t[t.length-1]];if(o===void 0||a===void 0)throw new G("EMPTY","The series has no\
 rows.");const s=e.steps(o,a)+1;const i=s-t.length;if(i>n){throw new G("TOO_MANY_GAPS",`${i} periods between the rows ar\
e missing; at most ${n} may be missing.`)}const l=new Float64Array(s);const u=new Float64Array(s).fill(Number.NaN);let c=0;
for(let m=0,d=o;m<s;m++){if(m>0)d=e.next(d);l[m]=d;if(t[c]===d)u[m]=r[c++]??Number.NaN}return{times:l,values:u}}var tn=1e4;function it(e,t,r){if(!Number.isInteger(r)||r<1||r>tn){throw new RangeError(`A horizon is a whole number from\
 1 to ${tn}, not ${r}.`)}const n=ue(e);Le([t],n);Ot([t],n);const o=new Float64Array(r);let a=t;for(let s=0;s<r;s++){a=n.
next(a);o[s]=a}return o}var zl=[["1m","1min"],["5m","5min"],["15m","15min"],["30m","30min"],["1w","1W-MON"]];var Jl=new Map([...at.map(e=>[e,e]),
...en.map(({timeframe:e,frequency:t})=>[e,t]),...zl]);var Zl=[...Jl.keys()];var Yh=Pt(E);var P=class extends Error{name="ModelError";code;constructor(t,r){super(r);this.code=t}};function W(e){if(e?.aborted)throw new P(
"ABORTED","The fit was aborted.")}function X(e,t={type:"requested"}){for(const r of e){if(!(r>0&&r<1)){throw new P("UNSU\
PPORTED_QUANTILE",`A quantile lies between 0 and 1, got ${r}.`)}if("min"in t&&(r<t.min||r>t.max)){throw new P("UNSUPPORT\
ED_QUANTILE",`The model gives quantiles from ${t.min} to ${t.max}, got ${r}.`)}}}function ce(e){return(t,r)=>{X(r);return Array.
from({length:t},()=>new Float64Array(r.length).fill(e))}}var rn=new Float64Array(1);function _(){return rn[0]}function D(e,t){const r=e+t;const n=r-e;rn[0]=e-(r-n)+(t-n);return r}
var Vt=134217729;function Oe(e,t){const r=e*t;const n=Vt*e-(Vt*e-e);const o=Vt*t-(Vt*t-t);const a=e-n;const s=t-o;rn[0]=
n*o-r+n*s+a*o+a*s;return r}function lt(e,t,r,n){const o=e/r;const a=Oe(o,r);return D(o,(e-a-_()+t-o*n)/r)}function Ue(e,t,r,n=1){
const o=new Float64Array(r);let a=1;let s=1;for(let i=0,l=1;i<r;l++){a*=l;if(l<e||(l-e)%t!==0)continue;o[i++]=s/a;s*=n}return o}
function Fe(e,t){let r=0;for(let n=e.length-1;n>=0;n--)r=r*t+e[n];return r}var ut=new Float64Array(2046).fill(22250738585072014e-324);for(let e=1;e<ut.length;e++)ut[e]=2*ut[e-1];function Pe(e,t){
if(t>1023)return Pe(e,1023)*ut[t-1];if(t<-1022)return Pe(Pe(e,-900),t+900);return e*ut[t+1022]}var an=.6931471805598903;
var sn=5497923018708371e-29;var eu=Ue(2,1,12);var H=0;function ln(e,t){H=Math.round(e*Math.LOG2E);const r=D(e-H*an,t-H*sn);
const n=_();const o=D(r,r*r*Fe(eu,r));return D(o,_()+n*(1+o))}function C(e){return nn(e,0)}function nn(e,t){if(!(e<710))
return e*Infinity;if(e<-746)return 0;const r=ln(e,t);const n=_();return Pe(D(1,r)+(_()+n),H)}function Bo(e){if(e===0)return e;
if(!(e<40))return C(e);return e<-40?-1:tu(e)+_()}function tu(e){const t=ln(e,0);const r=_();const n=Pe(1,H);const o=D(n,
n*t);const a=_()+n*r;return D(D(o,-1),_()+a)}var ru=Ue(3,2,9);function jo(e){const t=Math.abs(e);if(t<1)return e+e*(e*e)*
Fe(ru,e*e);if(!(t<711))return e*Infinity;const r=ln(t,0);const n=_();const o=D(1,r);const a=_()+n;const s=t<40?Pe(1/o,-2*
H):0;const i=D(o,-s);return Math.sign(e)*Pe(i+(_()+a),H-1)}var on=new Float64Array(1);var Qo=new Uint32Array(on.buffer);var Ho=new Uint8Array(new Uint32Array([1]).buffer)[0]===1?1:
0;function We(e){if(e<22250738585072014e-324){const n=We(e*0x40000000000000);H-=54;return n}on[0]=e;const t=Qo[Ho];H=(t>>>
20)-1023;Qo[Ho]=t&1048575|1072693248;const r=on[0];if(r<Math.SQRT2)return r;H+=1;return r/2}var nu=Float64Array.from({length:11},
(e,t)=>2/(2*t+3));function Gt(e,t,r){const n=e/(2+e);const o=n*n;const a=e*e/2;const s=n*(a+o*Fe(nu,o));return t*an-(a-(s+
(t*sn+r))-e)}function N(e){if(!(e>0&&e<Infinity))return e===0?-Infinity:e>0?e:NaN;const t=We(e);return Gt(t-1,H,0)}function Ve(e){
if(e===0||e===Infinity)return e;return e>-1?Xo(e,0):e===-1?-Infinity:NaN}function Xo(e,t){if(e>-.29&&e<.41)return Gt(e,0,
t/(1+e));const r=D(1,e);const n=_()+t;const o=We(r);return Gt(o-1,H,n/r)}function un(e){const t=Math.abs(e);if(!(t>1e-9&&
t<Infinity))return e;return Math.sign(e)*(t>1?au(t):ou(t))}function ou(e){const t=e*e;const r=D(e,t/(1+Math.sqrt(1+t)));
return Xo(r,_())}function au(e){const t=e<1e9?1/(e+Math.sqrt(e*e+1)):0;const r=D(e,t/2);const n=_();const o=We(r);return Gt(
o-1,H+1,n/r)}var Yo=1/3;var su=1850371707708594e-32;var iu=Float64Array.from({length:10},(e,t)=>1/(2*t+5));function Ko(e){
const t=We(e);const r=D(1,t);const n=lt(t-1,0,r,_());const o=_();const a=Oe(n,n);const s=_()+2*n*o;const i=Oe(a,Yo);const l=_()+
a*su+s*Yo;const u=D(i,a*a*Fe(iu,a));const c=_()+l;const m=Oe(2*n,u);const d=_()+2*(n*c+o*(1+u));const f=D(2*n,m);const p=_()+
d;const h=D(H*an,f);const b=_()+p;const y=D(h,H*sn);return D(y,_()+b)}var lu=20355273740931033e-33;function cn(e){if(!(e>
0&&e<Infinity))return N(e);if(We(e)===1)return H;const t=Ko(e);const r=_();const n=Oe(t,Math.LOG2E);return n+(_()+r*Math.
LOG2E+t*lu)}function v(e,t){if(t===0||e===1)return 1;if(!(e>=0)||Number.isNaN(t))return NaN;if(e===0||e===Infinity)return e>
0===t>0?Infinity:0;const r=Ko(e);const n=_();if(!(Math.abs(r*t)<800))return nn(r*t,0);const o=Oe(r,t);return nn(o,_()+n*
t)}var uu=.4;var cu=8;var mu=.5;var du=2.5;function Ge(e,t){const r=v(.5,1/Math.max(2*t,cu));let n=0;let o=0;let a=0;let s=0;
let i=1;for(let u=e.length-1;u>=0;u--){const c=e[u]**2;if(Number.isNaN(c))continue;n+=i*c;o+=i;a+=c;s++;i*=r}const l=a>0?
n/o/(a/s):1;return mn(v(l,uu/2))}function mn(e){return Math.max(mu,Math.min(du,e))}function $e(e,t,r){const n=new Float64Array(
e.length);const o=new Float64Array(e.length);for(let a=0;a<e.length;a++){const s=e[a];const i=s>0?Math.max(-1,Math.min(1,
t*(a+1)/s)):0;n[a]=s*(1+r*i);o[a]=s*(1-r*i)}return{above:n,below:o}}function $t(e){let t=0;let r=0;let n=0;let o=0;let a=0;
for(let s=0;s<e.length;s++){const i=e[s];if(Number.isNaN(i))continue;t++;const l=s-r;r+=l/t;n+=(i-n)/t;o+=l*(s-r);a+=l*(i-
n)}return o>0?a/o:0}function dn(e){return{sum:new Float64Array(e),count:new Float64Array(e)}}var zo=1e3;var Jo=100;function Zo(e,t,r){
const n=new Float64Array(t.length).fill(1);const o=e.sum[0]/e.count[0];let a=1;for(let s=0;s<t.length;s++){const i=e.count[s]??
0;const l=t[s];if(i>=3&&o>0&&l>0){const u=e.sum[s]/i/o/l;const c=i/(s+1);a=C(2*N(Math.max(.001,u))*c/(c+1))}n[s]=Math.min(
r,Math.max(1,a))}return n}var ea=1e-5;function fu(e,t,r,n,o){const a=e.residuals;for(let s=0;s<e.parameters;s++){const i=t[s];const l=i>0?-ea:ea;t[s]=
i+l;const u=e.evaluate(t,n);t[s]=i;if(!Number.isFinite(u))return false;const c=s*a;for(let m=0;m<a;m++)o[c+m]=(n[m]-r[m])/
l}return true}function pu(e,t,r,n,o,a){for(let s=0;s<n;s++){const i=s*r;let l=0;for(let u=0;u<r;u++)l+=e[i+u]*t[u];a[s]=
l;for(let u=0;u<=s;u++){const c=u*r;let m=0;for(let d=0;d<r;d++)m+=e[i+d]*e[c+d];o[s*n+u]=m;o[u*n+s]=m}}}var ta=1.5;var hu=8;
function Qe(e,t,r){const n=e.parameters;const o=e.residuals;let a=Float64Array.from(t);let s=new Float64Array(o);let i=e.
evaluate(a,s);const l=new Float64Array(n*n);if(n===0||!Number.isFinite(i))return{at:a,value:i,curvature:l};const u=new Float64Array(
o*n);const c=new Float64Array(n);const m=new Float64Array(n*n);const d=new Float64Array(n);let f=new Float64Array(n);let p=new Float64Array(
o);let h=.001;for(let b=0;b<r.maxIterations;b++){if(!fu(e,a,s,p,u))break;pu(u,s,o,n,l,c);let y=false;let S=false;for(let F=0;F<
hu&&!y;F++){if(!bu(l,c,h,m,d)){h=Math.max(h*10,1e-6);continue}const g=yu(d);let A=0;for(let M=0;M<n;M++){f[M]=a[M]+g*d[M];
A-=c[M]*d[M]*g}if(A<r.tolerance*i){S=true;break}const w=e.evaluate(f,p);if(w<i){S=i-w<r.tolerance*i;h=i-w>.5*A?h*.1:h*2;
i=w;[a,f]=[f,a];[s,p]=[p,s];y=true}else{h=Math.max(h*8,.001)}}if(!y||S)break}return{at:a,value:i,curvature:l}}function bu(e,t,r,n,o){
const a=o.length;n.set(e);let s=0;for(let i=0;i<a;i++)s=Math.max(s,e[i*a+i]);for(let i=0;i<a;i++){const l=e[i*a+i];n[i*a+
i]=l*(1+r)+s*1e-9+1e-300}for(let i=0;i<a;i++)o[i]=-t[i];return fn(n,o,a)}function yu(e){let t=0;for(let r=0;r<e.length;r++)
t=Math.max(t,Math.abs(e[r]));return t>ta?ta/t:1}function fn(e,t,r){for(let n=0;n<r;n++){for(let o=0;o<=n;o++){let a=e[n*
r+o];for(let s=0;s<o;s++)a-=e[n*r+s]*e[o*r+s];if(n===o){if(!(a>0))return false;e[n*r+n]=Math.sqrt(a)}else{e[n*r+o]=a/e[o*
r+o]}}}for(let n=0;n<r;n++){let o=t[n];for(let a=0;a<n;a++)o-=e[n*r+a]*t[a];t[n]=o/e[n*r+n]}for(let n=r-1;n>=0;n--){let o=t[n];
for(let a=n+1;a<r;a++)o-=e[a*r+n]*t[a];t[n]=o/e[n*r+n]}return true}function Ye(e){return{ar:new Float64Array(e.p+e.P*e.season),ma:new Float64Array(e.q+e.Q*e.season),arLags:ra(e.p,e.P,e.season),
maLags:ra(e.q,e.Q,e.season)}}function ra(e,t,r){const n=new Set;for(let o=0;o<=t;o++)for(let a=0;a<=e;a++)n.add(o*r+a);n.
delete(0);return Int32Array.from(n).sort()}var na=60;function ct(e,t,r,n){const o=gu;for(let a=0;a<r;a++){const s=Math.max(
-na,Math.min(na,e[t+a]));const i=s/Math.sqrt(1+s*s);n[a]=i;for(let l=0;l<a;l++)n[l]=o[l]-i*o[a-1-l];for(let l=0;l<=a;l++)
o[l]=n[l]}}var gu=new Float64Array(16);var He=new Float64Array(16);var pn=new Float64Array(16);function Be(e,t,r){ct(t,0,
e.p,He);ct(t,e.p+e.q,e.P,pn);oa(e.p,e.P,e.season,r.ar);ct(t,e.p,e.q,He);ct(t,e.p+e.q+e.P,e.Q,pn);oa(e.q,e.Q,e.season,r.ma);
for(let n=0;n<r.ma.length;n++)r.ma[n]=-r.ma[n]}function oa(e,t,r,n){n.fill(0);for(let o=0;o<e;o++)n[o]=He[o];for(let o=0;o<
t;o++){const a=pn[o];const s=(o+1)*r;n[s-1]=n[s-1]+a;for(let i=0;i<e;i++){n[s+i]=n[s+i]-a*He[i]}}}function Ht(e,t){const r=aa;
const n=v(aa,Math.min(e.season,12));const{p:o,q:a,P:s,Q:i}=e;return Qt(t,0,o,r)&&Qt(t,o,a,r)&&Qt(t,o+a,s,n)&&Qt(t,o+a+s,
i,n)}var aa=1.01;function Qt(e,t,r,n){if(r===0)return true;ct(e,t,r,He);const o=He.slice(0,r);let a=1;for(let i=0;i<r;i++){
a*=n;o[i]=o[i]*a}const s=new Float64Array(r);for(let i=r-1;i>=0;i--){const l=o[i];if(!(Math.abs(l)<1))return false;for(let u=0;u<
i;u++){s[u]=(o[u]+l*o[i-1-u])/(1-l*l)}o.set(s.subarray(0,i))}return true}function J(e){return e.p+e.q+e.P+e.Q}function mt(e){return e.d+e.D*e.season}function ia(e,t){return e.p===t.p&&e.q===t.q&&
e.P===t.P&&e.Q===t.Q&&e.constant===t.constant}function Yt(e,t){const r=new Float64Array(Math.max(0,e.length-t));for(let n=0;n<
r.length;n++)r[n]=e[n+t]-e[n];return r}function hn(e,t,r,n){let o=e;for(let a=0;a<r;a++)o=Yt(o,n);for(let a=0;a<t;a++)o=
Yt(o,1);return o}function dt(e,t,r){let n=Float64Array.of(1);for(let o=0;o<e;o++)n=sa(n,1);for(let o=0;o<t;o++)n=sa(n,r);
return n.subarray(1).map(o=>-o)}function sa(e,t){const r=new Float64Array(e.length+t);r.set(e);for(let n=0;n<e.length;n++)
r[n+t]=r[n+t]-e[n];return r}function ve(e){const t=e[0]??0;let r=0;for(const n of e)r+=Math.abs(n-t);return r<=15e-9*Math.
abs(t)*e.length||r===0}var Bt=class{parameters;residuals;#t;#r;#e;#n;#o;constructor(t,r){this.#t=r;this.#r=t;this.#e=Ye(r);this.parameters=J(r);
this.residuals=Math.max(0,t.length-this.#e.ar.length);this.#n=new Float64Array(t.length);this.#o=new Float64Array(t.length)}evaluate(t,r){
Be(this.#t,t,this.#e);const n=this.#n;const o=this.#o;const a=this.#t.constant;const s=this.#e.ar.length;bn(this.#e,this.#r,
a,s,s,n,o);const i=a?this.#a(s):0;let l=0;for(let u=s;u<n.length;u++){const c=n[u]-i*o[u];r[u-s]=c;l+=c*c}return l}#a(t){
const r=this.#n;const n=this.#o;let o=0;let a=0;for(let s=t;s<r.length;s++){o+=r[s]*n[s];a+=n[s]*n[s]}return a>0?o/a:0}};
function bn({ar:e,ma:t,arLags:r,maLags:n},o,a,s,i,l,u){let c=1;for(let m=0;m<r.length;m++)c-=e[r[m]-1];for(let m=s;m<o.length;m++){
let d=o[m];for(let p=0;p<r.length;p++){const h=r[p];d-=e[h-1]*o[m-h]}let f=c;for(let p=0;p<n.length;p++){const h=n[p];if(m-
h<i)break;const b=t[h-1];d-=b*l[m-h];if(a)f-=b*u[m-h]}l[m]=d;u[m]=f}}function yn(e,t,r,n){const o=Float64Array.from(r.state);const{ar:a}=r.polynomials;const s=o.length-1;const i=mt(t);const l=dt(
t.d,t.D,t.season);const u=new Float64Array(i+n);u.set(e.subarray(e.length-i));for(let c=0;c<n;c++){const m=o[0];let d=m+
r.mean;for(let f=0;f<i;f++){const p=l[f];if(p!==0)d+=p*u[i+c-1-f]}u[i+c]=d;for(let f=0;f<s;f++)o[f]=(f<a.length?a[f]*m:0)+
o[f+1]}return u.slice(i)}function la(e,{ar:t,ma:r,arLags:n},o){const a=dt(e.d,e.D,e.season);const s=new Float64Array(o);
const i=new Float64Array(o);for(let l=0;l<o;l++){let u=l===0?1:l<=r.length?r[l-1]:0;for(const c of n){if(c>l)break;u+=t[c-
1]*s[l-c]}s[l]=u;for(let c=0;c<a.length&&c<l;c++){const m=a[c];if(m!==0)u+=m*i[l-1-c]}i[l]=u}return i}function ua(e,t,r){
const n=new Float64Array(mt(e));return yn(n,e,{...t,state:t.state.map(o=>-o),mean:1},r)}var je=class{variance=0;gain;#t;#r;#e;#n;#o;#a;constructor(t,r){this.#t=t;this.#r=r;this.gain=new Float64Array(Math.max(
t,r+1));this.#e=new gn(t,t+r);this.#n=new Float64Array(t+1);this.#o=new Float64Array(r+1);this.#a=new Float64Array(r+1)}compute(t){
if(!this.#e.compute(t))return false;this.#s(t);this.#i(t);const{ar:r,ma:n,arLags:o,maLags:a}=t;const s=this.gain;s.fill(
0);for(let i=0;i<o.length;i++){const l=o[i];const u=r[l-1];for(let c=0;c<l;c++){s[c]=s[c]+u*this.#n[l-1-c]}}for(let i=0;i<
a.length;i++){const l=a[i];const u=n[l-1];for(let c=0;c<l;c++)s[c]=s[c]+u*this.#a[l-1-c]}return Number.isFinite(this.variance)}#s({
ma:t}){const r=this.#r;const n=this.#o;for(let a=0;a<=r;a++){let s=a===0?1:t[a-1];for(let i=0;i+a<r;i++)s+=t[i]*t[i+a];n[a]=
s}const o=this.#e.values;for(let a=0;a<=this.#t;a++){let s=n[0]*o[a];for(let i=1;i<=r;i++){const l=n[i];if(l!==0)s+=l*(o[a+
i]+o[Math.abs(a-i)])}this.#n[a]=s}this.variance=this.#n[0]}#i({ar:t,ma:r,arLags:n}){const o=this.#a;o[0]=1;for(let a=1;a<=
this.#r;a++){let s=r[a-1];for(let i=0;i<n.length;i++){const l=n[i];if(l>a)break;s+=t[l-1]*o[a-l]}o[a]=s}}};var gn=class{values;#t;#r;#e;constructor(t,r){
this.#t=t;this.values=new Float64Array(r+1);this.#r=new Float64Array(t*(t+1)/2);this.#e=new Float64Array(t)}compute({ar:t,
arLags:r}){const n=this.#n(t);if(!(n>0))return false;const o=this.values;const a=this.#t;const s=this.#r;let i=1/n;o[0]=
i;for(let l=1;l<=a;l++){const u=this.#e[l-1];let c=u*i;const m=(l-1)*(l-2)/2;for(let d=1;d<l;d++)c+=s[m+d-1]*o[l-d];o[l]=
c;i*=1-u*u}for(let l=a+1;l<o.length;l++){let u=0;for(let c=0;c<r.length;c++){const m=r[c];u+=t[m-1]*o[l-m]}o[l]=u}return true}#n(t){
const r=this.#t;const n=this.#r;let o=r*(r-1)/2;for(let s=0;s<r;s++)n[o+s]=t[s];let a=1;for(let s=r;s>=1;s--){const i=n[o+
s-1];const l=1-i*i;if(!(l>0))return 0;this.#e[s-1]=i;a*=l;const u=o-(s-1);for(let c=0;c<s-1;c++){n[u+c]=(n[o+c]+i*n[o+s-
2-c])/l}o=u}return a}};var Au=1e-8;var jt=class{errors;errorsOfOne;variances;state;ofOne;#t;#r;#e;#n;#o;#a;#s;constructor(t,r,n){const{ar:o,ma:a}=r;
this.#t=t;this.#r=r;this.#e=n;this.#n=new je(o.length,a.length);const s=this.#n.gain.length;this.#o=o.length===s?o:new Float64Array(
s);this.state=new Float64Array(s+1);this.ofOne=new Float64Array(s+1);this.#a=new Float64Array(s+1);this.#s=new Float64Array(
s+1);this.errors=new Float64Array(t.length);this.errorsOfOne=new Float64Array(t.length);this.variances=new Float64Array(
t.length)}run(t){if(!this.#n.compute(this.#r))return Number.NaN;if(this.#o!==this.#r.ar)this.#o.set(this.#r.ar);const r=this.#i(
t);if(r<this.#t.length){bn(this.#r,this.#t,this.#e,r,0,this.errors,this.errorsOfOne)}return r}removeMean(t){ca(this.errors,
t,this.errorsOfOne);ca(this.state,t,this.ofOne)}#i(t){const r=this.#t;const n=r.length;const o=this.#o;const a=o.length;
const{state:s,ofOne:i,errors:l,errorsOfOne:u,variances:c}=this;const m=this.#a;const d=this.#s;const f=this.#e;s.fill(0);
i.fill(0);m.set(this.#n.gain);d.set(this.#n.gain);let p=this.#n.variance;const h=p*p;for(let b=0;b<n;b++){const y=s[0];const S=r[b]-
y;const F=i[0];const g=1-F;l[b]=S;u[b]=g;c[b]=p;const A=d[0];const w=-p/h*A;const M=p+w*A;const x=A/M;const R=S/p;if(f){
const O=g/p;for(let q=0;q<a;q++){const j=o[q];const ie=m[q];const T=j*A+d[q+1];const xe=ie+w*T;s[q]=j*y+s[q+1]+ie*R;i[q]=
j*F+i[q+1]+ie*O;m[q]=xe;d[q]=T-xe*x}}else{for(let O=0;O<a;O++){const q=o[O];const j=m[O];const ie=q*A+d[O+1];const T=j+w*
ie;s[O]=q*y+s[O+1]+j*R;m[O]=T;d[O]=ie-T*x}}p=M;if(A*A<1e-30&&Su(d,a))d.fill(0);if(t&&p<1+Au&&b+1>=a)return b+1}return n}};
function Su(e,t){for(let r=0;r<t;r++)if(Math.abs(e[r])>1e-15)return false;return true}function ca(e,t,r){for(let n=0;n<e.
length;n++)e[n]=e[n]-t*r[n]}var Xe=class{parameters;residuals;#t;#r;#e;#n;#o=0;#a=0;#s=0;constructor(t,r,n){this.parameters=J(n);this.residuals=r.length;
this.#t=t;this.#r=n;this.#e=Ye(n);this.#n=new jt(r,this.#e,n.constant)}evaluate(t,r){return this.#i(t,true,r)}path(t,r){
const n=new Float64Array(this.residuals);const o=this.#i(t,false,n);const{state:a,ofOne:s}=this.#n;const i=this.#r;const l=this.#e;
const u=this.#o;const c=la(i,l,r);let m=0;const d=c.map(f=>{m+=f*f;return m});return{residuals:n,squares:o,scale:C(this.#s/
this.residuals),mean:yn(this.#t,i,{polynomials:l,state:a,mean:u},r),unitVariance:d,meanResponse:ua(i,{polynomials:l,state:s,
mean:u},r),meanInformation:this.#a}}#i(t,r,n){Be(this.#r,t,this.#e);const o=this.#n.run(r);if(Number.isNaN(o))return Number.
POSITIVE_INFINITY;const{errors:a,variances:s}=this.#n;const i=this.residuals;this.#s=Fu(s,o);if(this.#r.constant)this.#u(
o);const l=C(this.#s/(2*i));let u=0;for(let c=0;c<i;c++){const m=a[c]*(c<o?l/Math.sqrt(s[c]):l);n[c]=m;u+=m*m}return u}#u(t){
const{errors:r,errorsOfOne:n,variances:o}=this.#n;let a=0;let s=0;for(let i=0;i<r.length;i++){const l=n[i]/(i<t?o[i]:1);
a+=l*r[i];s+=l*n[i]}this.#o=s>0?a/s:0;this.#a=s;this.#n.removeMean(this.#o)}};function Fu(e,t){let r=1;let n=0;for(let o=0;o<
t;o++){r*=e[o];if(r>1e100||o===t-1){n+=N(r);r=1}}return n}var da={tolerance:3e-5,maxIterations:25};var Xt={tolerance:1e-7,maxIterations:30};var wu=6e7;function An({y:e,w:t},r,n,o,a){
const s=o==="exact"?new Xe(e,t,r):new Bt(t,r);const i=Sn(r);const l=t.length-i-1;if(s.residuals<=0||l<=0&&J(r)>0)return Nu(
r);const u=new Float64Array(s.residuals);const c=Mu(r,n);let m=s.evaluate(c.free,u);for(const h of c.fresh){for(const b of[
.4,-.4]){const y=c.free[h];c.free[h]=b;const S=s.evaluate(c.free,u);if(S<m)m=S;else c.free[h]=y}}const d=Qe(s,c.free,Eu(
a,t.length,r,o));if(!(d.value>0)||!Number.isFinite(d.value)||!Ht(r,d.at)){return{orders:r,free:d.at,aicc:Number.POSITIVE_INFINITY}}
const f=t.length;const p=f*(N(d.value/s.residuals)+1+N(2*Math.PI))+2*i;return{orders:r,free:d.at,aicc:p+(l>0?2*i*(i+1)/l:
0)}}function Eu(e,t,r,n){if(n==="conditional")return e;const o=Math.max(r.p+r.P*r.season,r.q+r.Q*r.season+1);const a=Math.
floor(wu/(t*o*(J(r)+2)));return{...e,maxIterations:Math.max(2,Math.min(e.maxIterations,a))}}function Sn(e){return J(e)+(e.
constant?1:0)+1}function Nu(e){return{orders:e,free:new Float64Array(J(e)),aicc:Number.POSITIVE_INFINITY}}var ma=3;function Mu(e,t){
const r=new Float64Array(J(e));const n=[];let o=0;let a=0;for(const s of["p","q","P","Q"]){const i=t===void 0?0:t.orders[s];
for(let l=0;l<e[s];l++){if(l<i)r[o+l]=Math.max(-ma,Math.min(ma,t.free[a+l]));else n.push(o+l)}o+=e[s];a+=i}return{free:r,
fresh:n}}var Kt=class{r;dimension;load;seen;phi;shock;constructor(t,r){this.r=t;this.dimension=t+r.length;this.load=new Float64Array(
this.dimension);this.load[0]=1;this.load.set(r,t);this.seen=Int32Array.from(this.load.keys()).filter(n=>this.load[n]!==0);
this.phi=new Float64Array(t);this.shock=new Float64Array(t)}set({ar:t,ma:r}){this.phi.fill(0);this.phi.set(t);this.shock.
fill(0);this.shock[0]=1;this.shock.set(r,1)}expected(t){let r=0;for(const n of this.seen)r+=t[n]*this.load[n];return r}advance(t){
const{r,phi:n}=this;const o=this.expected(t);const a=t[0];for(let s=this.dimension-1;s>r;s--)t[s]=t[s-1];for(let s=0;s<r;s++)
t[s]=n[s]*a+(s+1<r?t[s+1]:0);if(this.dimension>r)t[r]=o}advanceColumns(t,r){const{r:n,phi:o,dimension:a}=this;for(let s=0;s<
n;s++){const i=o[s];for(let l=0;l<a;l++){r[s*a+l]=i*t[l]+(s+1<n?t[(s+1)*a+l]:0)}}if(a===n)return;r.fill(0,n*a,(n+1)*a);for(const s of this.
seen){const i=this.load[s];for(let l=0;l<a;l++){r[n*a+l]=r[n*a+l]+i*t[s*a+l]}}r.set(t.subarray(n*a,(a-1)*a),(n+1)*a)}};var zt=class{#t;#r;#e;#n;constructor(t){
this.#t=t;this.#r=new Float64Array(t.dimension);this.#e=new Float64Array(t.dimension**2);this.#n=new Float64Array(t.dimension**
2)}begin({variance:t,gain:r},n){const{r:o,phi:a,shock:s,dimension:i}=this.#t;const l=this.#e;l.fill(0);l[0]=t;for(let u=0;u+
1<o;u++){const c=r[u]-a[u]*t;l[u+1]=c;l[(u+1)*i]=c}for(let u=o-1;u>=1;u--){for(let c=u;c>=1;c--){const m=a[u];const d=a[c];
let f=m*d*t+s[u]*s[c];if(c+1<o)f+=m*l[c+1];if(u+1<o)f+=d*l[u+1]+l[(u+1)*i+c+1];l[u*i+c]=f;l[c*i+u]=f}}for(let u=o;u<i;u++)
l[u*i+u]=n}observe(){const{load:t,seen:r,dimension:n}=this.#t;const o=this.#e;let a=0;for(let s=0;s<n;s++){let i=0;for(const l of r)
i+=o[s*n+l]*t[l];this.#r[s]=i;a+=i*t[s]}return a}correct(t,r){for(let n=0;n<t.length;n++)t[n]=t[n]+this.#r[n]*r}reduce(t){
const r=this.#t.dimension;const n=this.#e;const o=this.#r;for(let a=0;a<r;a++){const s=o[a]/t;for(let i=0;i<r;i++)n[a*r+
i]=n[a*r+i]-s*o[i]}}advance(){const{r:t,shock:r,dimension:n}=this.#t;this.#t.advanceColumns(this.#e,this.#n);xu(this.#n,
this.#e,n);this.#t.advanceColumns(this.#e,this.#n);[this.#e,this.#n]=[this.#n,this.#e];const o=this.#e;for(let a=0;a<t;a++){
for(let s=0;s<t;s++){o[a*n+s]=o[a*n+s]+r[a]*r[s]}}}};function xu(e,t,r){for(let n=0;n<r;n++)for(let o=0;o<r;o++)t[o*r+n]=
e[n*r+o]}var _u=1e8;var Ru=1e5;var Tu={mean:0,meanInformation:0,scale:1,squares:Number.POSITIVE_INFINITY};var Jt=class{parameters;residuals;#t;#r;#e;#n;#o;#a;#s;#i;#u;#c;#l;#m;constructor(t,r){
this.#e=r;this.#r=r.d+r.D>0?t.find(o=>!Number.isNaN(o))??0:0;this.#t=t.map(o=>o-this.#r);this.parameters=J(r);this.residuals=
t.length;this.#n=Ye(r);this.#o=new je(this.#n.ar.length,this.#n.ma.length);const n=dt(r.d,r.D,r.season);this.#a=new Kt(this.#o.
gain.length,n);this.#s=new zt(this.#a);this.#i=new Float64Array(this.#a.dimension);this.#u=new Float64Array(this.#a.dimension);
this.#c=new Float64Array(t.length);this.#l=new Float64Array(t.length);this.#m=new Float64Array(t.length)}evaluate(t,r){return this.#d(
t,r).squares}path(t,r){const n=new Float64Array(this.residuals);const o=this.#d(t,n);const a=new Float64Array(r);const s=new Float64Array(
r);const i=new Float64Array(r);for(let m=0;m<r;m++){i[m]=this.#p(this.residuals+m)-this.#a.expected(this.#u);a[m]=this.#r+
this.#a.expected(this.#i)+o.mean*i[m];s[m]=this.#s.observe();this.#f()}const{squares:l,scale:u,meanInformation:c}=o;return{
residuals:n,squares:l,scale:u,mean:a,unitVariance:s,meanResponse:i,meanInformation:c}}#d(t,r){Be(this.#e,t,this.#n);if(!this.#o.
compute(this.#n))return Tu;const n=this.#a;const o=this.#s;n.set(this.#n);o.begin(this.#o,_u);this.#i.fill(0);this.#u.fill(
0);for(let a=0;a<this.residuals;a++){const s=this.#t[a];this.#m[a]=0;if(!Number.isNaN(s)){const i=o.observe();const l=s-
n.expected(this.#i);const u=this.#p(a)-n.expected(this.#u);o.correct(this.#i,l/i);o.correct(this.#u,u/i);o.reduce(i);this.#c[a]=
l;this.#l[a]=u;if(i<Ru)this.#m[a]=i}this.#f()}return Iu(this.#c,this.#l,this.#m,r)}#f(){this.#a.advance(this.#i);this.#a.
advance(this.#u);this.#s.advance()}#p(t){if(!this.#e.constant)return 0;if(this.#e.d>0)return t;return this.#e.D>0?t/this.#e.
season:1}};function Iu(e,t,r,n){let o=0;let a=0;let s=0;let i=0;for(let m=0;m<e.length;m++){const d=r[m];if(d===0)continue;
o+=N(d);a++;s+=e[m]*t[m]/d;i+=t[m]**2/d}const l=i>0?s/i:0;const u=C(o/Math.max(1,a));let c=0;for(let m=0;m<e.length;m++){
const d=r[m];const f=e[m]-l*t[m];n[m]=d===0?0:f*Math.sqrt(u/d);c+=n[m]**2}return{mean:l,meanInformation:i,scale:u,squares:c}}var Ou=2;function Zt(e,t,r){const n=e.length;const o=fa(Math.ceil(1.5*t/(1-1.5/r)));const a=fa(t);const s=new Float64Array(
n);const i=new Float64Array(n);const l=new Float64Array(n);const u=new Float64Array(n+2*t);const c=new Float64Array(n+2*
t);const m=new Float64Array(n+2*t);for(let d=0;d<Ou;d++){for(let f=0;f<n;f++)l[f]=e[f]-i[f];Pu(l,t,r,u);Fn(u,n+2*t,t,c);
Fn(c,n+t+1,t,m);Fn(m,n+2,3,c);En(c,0,n,a,1,Math.ceil(a/10),m,0);for(let f=0;f<n;f++){s[f]=u[t+f]-m[f];l[f]=e[f]-s[f]}En(
l,0,n,o,1,Math.ceil(o/10),i,0)}return{seasonal:s,trend:i}}function Pu(e,t,r,n){const o=e.length;const a=Math.ceil(o/t);const s=new Float64Array(
a);const i=new Float64Array(a);for(let l=0;l<t;l++){const u=Math.floor((o-1-l)/t)+1;for(let d=0;d<u;d++)s[d]=e[d*t+l];En(
s,0,u,r,0,Math.ceil(r/10),i,0);for(let d=0;d<u;d++)n[(d+1)*t+l]=i[d];const c=Nn(s,0,u,r,0,-1,0,Math.min(r,u)-1);n[l]=Number.
isNaN(c)?i[0]:c;const m=Nn(s,0,u,r,0,u,Math.max(0,u-r),u-1);n[(u+1)*t+l]=Number.isNaN(m)?i[u-1]:m}}function Fn(e,t,r,n){
let o=0;for(let a=0;a<r;a++)o+=e[a];n[0]=o/r;for(let a=r;a<t;a++){o+=e[a]-e[a-r];n[a-r+1]=o/r}}function fa(e){const t=Math.
round(e);return t%2===0?t+1:t}function En(e,t,r,n,o,a,s,i){if(r<2){if(r===1)s[i]=e[t];return}const l=Math.max(1,Math.min(
a,r-1));let u=0;let c=Math.min(n,r)-1;const m=n+1>>1;const d=p=>{if(n>=r){u=0;c=r-1}else{u=Math.max(0,Math.min(r-n,p+1-m));
c=u+n-1}const h=Nn(e,t,r,n,o,p,u,c);return Number.isNaN(h)?e[t+p]:h};let f=0;s[i]=d(0);for(let p=l;p<r;p+=l){s[i+p]=d(p);
pa(s,i,f,p);f=p}if(f!==r-1){s[i+r-1]=d(r-1);pa(s,i,f,r-1)}}function Nn(e,t,r,n,o,a,s,i){let l=Math.max(a-s,i-a);if(n>r)l+=
n-r>>1;const u=.999*l;const c=.001*l;let m=0;let d=0;for(let h=s;h<=i;h++){const b=wn(Math.abs(h-a),l,c,u);m+=b;d+=b*h}if(!(m>
0))return Number.NaN;d/=m;let f=0;if(o===1&&l>0){let h=0;for(let b=s;b<=i;b++){h+=wn(Math.abs(b-a),l,c,u)/m*(b-d)**2}if(Math.
sqrt(h)>.001*(r-1))f=(a-d)/h}let p=0;for(let h=s;h<=i;h++){const b=wn(Math.abs(h-a),l,c,u)/m;p+=b*(1+f*(h-d))*e[t+h]}return p}
function wn(e,t,r,n){if(e>n)return 0;if(e<=r)return 1;const o=e/t;const a=1-o*o*o;return a*a*a}function pa(e,t,r,n){const o=e[t+
r];const a=(e[t+n]-o)/(n-r);for(let s=r+1;s<n;s++)e[t+s]=o+a*(s-r)}var vu=.463;var ku=.64;function ba(e,t){if(t<2||e.length<=2*t||ve(e))return 0;return Lu(e,t)>ku?1:0}function ya(e){let t=e;
for(let r=0;r<2;r++){if(t.length<2||ve(t)||!(Cu(t)>vu))return r;t=Yt(t,1)}return 2}function Cu(e){const t=e.length;const r=Math.
trunc(3*Math.sqrt(t)/13);let n=0;for(const i of e)n+=i;n/=t;let o=0;let a=0;let s=0;for(let i=0;i<t;i++){const l=e[i]-n;
o+=l;a+=o*o;s+=l*l}for(let i=1;i<=r;i++){let l=0;for(let u=i;u<t;u++)l+=(e[u]-n)*(e[u-i]-n);s+=2*(1-i/(r+1))*l}return a/
t/s}function Lu(e,t){const{seasonal:r,trend:n}=Zt(e,t,Du);const o=e.map((s,i)=>s-n[i]-r[i]);const a=o.map((s,i)=>s+r[i]);
return Math.max(0,Math.min(1,1-ha(o)/ha(a)))}var Du=11;function ha(e){let t=0;for(const n of e)t+=n;t/=e.length;let r=0;
for(const n of e)r+=(n-t)**2;return r/(e.length-1)}var qu=94;var Uu=[[0,0,-1,0],[0,0,0,-1],[0,0,1,0],[0,0,0,1],[0,0,-1,-1],[0,0,-1,1],[0,0,1,-1],[0,0,1,1]];var Wu=[[-1,0,0,
0],[0,-1,0,0],[1,0,0,0],[0,1,0,0],[-1,-1,0,0],[-1,1,0,0],[1,-1,0,0],[1,1,0,0]];var Vu=[...Uu,...Wu];function ga(e,t,r,n,o){
const a=[];let s;const i=p=>{if(a.length>=qu||a.some(b=>ia(b.orders,p)))return false;W(o);const h=An(e,p,s,n,da);a.push(
h);if(s!==void 0&&!(h.aicc<s.aicc))return false;s=h;return true};const{maxP:l,maxQ:u,maxSeasonalP:c,maxSeasonalQ:m}=r;const d=e.
y.length<10;const f={...t,p:0,q:0,P:0,Q:0};i(f);i({...f,p:Math.min(1,l),P:Math.min(1,c)});i({...f,q:Math.min(1,u),Q:Math.
min(1,m)});i({...f,p:Math.min(d?1:2,l),q:Math.min(d?1:2,u),P:d?0:Math.min(1,c),Q:d?0:Math.min(1,m)});if(t.constant)i({...f,
constant:false});for(let p=true;p;){p=false;const h=(s??{orders:f}).orders;for(const[b,y,S,F]of Vu){const g={...h,p:h.p+
b,q:h.q+y,P:h.P+S,Q:h.Q+F};if(Math.min(g.p,g.q,g.P,g.Q)<0)continue;if(g.p>l||g.q>u||g.P>c||g.Q>m)continue;p=i(g);if(p)break}
if(!p&&t.constant)p=i({...h,constant:!h.constant})}return a.filter(p=>p.aicc<Number.POSITIVE_INFINITY).sort((p,h)=>p.aicc-
h.aicc)}function Aa(e,t){return An(e,t.orders,t,"exact",Xt)}var Gu=24;var $u=400;function Sa(e,t){const r=e.length;const n=ba(
e,t);const o=ya(hn(e,0,n,t));const a=hn(e,o,n,t);const s=Math.floor(r/3);const i=t===1||t>$u?0:t>Gu?1:2;const l=ve(a);const u=l?
0:Math.min(i,Math.floor(s/t));const c=l?0:Math.min(5,s,u>0?t-1:5);return{data:{y:e,w:a},base:{p:0,d:o,q:0,P:0,D:n,Q:0,season:t,
constant:o+n<=1},limits:{maxP:c,maxQ:c,maxSeasonalP:u,maxSeasonalQ:u},criterion:r>150||t>12?"conditional":"exact"}}var Qu=10;var Hu=3;var Yu=5e7;function Fa(e,t,r){const{data:n,base:o,limits:a,criterion:s}=t;const i=ga(n,o,a,s,r);if(i.
length===0)i.push({orders:o,free:new Float64Array(0),aicc:0});const l=e.gaps>0;const u=l||s==="conditional";const c=[];for(const m of i){
if(c.length>=(u?Hu:Qu))break;W(r);let d=m;if(s==="conditional"){const f=Aa(n,m);if(f.aicc<Number.POSITIVE_INFINITY)d={...f,
aicc:m.aicc}}c.push(l?Bu(e,t,d):wa(t,d))}return c}function wa({data:e},t){return{model:t,filter:new Xe(e.y,e.w,t.orders),
observed:e.w.length}}function Bu(e,t,r){const{orders:n,free:o}=r;const a=mt(n);const{p:s,q:i,P:l,Q:u,season:c}=n;const m=Math.
max(s+l*c,i+u*c+1)+a;const d=Yu/(e.values.length*m**2);const f=Math.max(1,e.values.length-e.gaps-a);if(d<4*(o.length+1))
return{...wa(t,r),observed:f};const p=new Jt(e.values,n);const h=Math.min(12,Math.floor(d/(o.length+2))-2);const b=Qe(p,
o,{...Xt,tolerance:1e-6,maxIterations:h});const y=Number.isFinite(b.value)&&Ht(n,b.at);return{model:y?{...r,free:b.at}:r,
filter:p,observed:f}}var ju=.5;function Ea(e){const t=e[0];const r=t.prediction.mean.length;const n=e.map(({aicc:u})=>C(-ju*(u-t.aicc)/2));const o=n.
reduce((u,c)=>u+c,0);const a=new Float64Array(r);const s=new Float64Array(r);let i=0;e.forEach(({prediction:u},c)=>{i+=n[c]/
o*u.degrees});const l=e.map((u,c)=>c);for(let u=0;u<r;u++){const c=f=>e[f].prediction.mean[u];const m=Xu(l.map(c),n,o);let d=0;
for(const f of l){const p=e[f].prediction.variance[u];d+=n[f]/o*(p+(c(f)-m)**2)}a[u]=m;s[u]=d}return{mean:a,variance:s,degrees:Math.
max(1,Math.round(i)),residuals:t.prediction.residuals}}function Xu(e,t,r){const n=e.map((i,l)=>l).sort((i,l)=>e[i]-e[l]);
let o=0;let a=0;let s=e[n[0]];for(const i of n){const l=t[i]/r;const u=o+l/2;const c=e[i];if(u>=.5){const m=u>a?(.5-a)/(u-
a):1;return o===0?c:s+m*(c-s)}o+=l;a=u;s=c}return s}var Na=1e-4;var Ku=2;function Ma(e,t,r,n){const{orders:o,free:a}=t;const{curvature:s}=Qe(e,a,{tolerance:1,maxIterations:1});
const i=e.path(a,n);const l=Math.max(1,r-Sn(o)+1);const u=i.squares/l;const c=u/i.scale;const m=o.d+o.D>0?Ku:1;const d=i.
meanInformation>0?m*c/i.meanInformation:0;const f=i.unitVariance.map((h,b)=>h*c+i.meanResponse[b]**2*d);const p=Zu(s,a.length,
u);if(p!==void 0)Ju(zu(e,a,i.mean),p,f);return{mean:i.mean,variance:f,degrees:l,residuals:i.residuals}}function zu(e,t,r){
return Array.from(t,(n,o)=>{const a=Float64Array.from(t);const s=n>0?-Na:Na;a[o]=n+s;return e.path(a,r.length).mean.map(
(i,l)=>(i-r[l])/s)})}function Ju(e,t,r){const n=e.length;for(let o=0;o<r.length;o++){let a=0;for(let s=0;s<n;s++){const i=e[s][o];
for(let l=0;l<n;l++){a+=t[s*n+l]*i*e[l][o]}}if(a>0)r[o]=r[o]+a}}function Zu(e,t,r){if(t===0||!(r>0))return void 0;const n=new Float64Array(
t*t);const o=new Float64Array(t);for(let a=0;a<t;a++){const s=e.map(i=>i/r);for(let i=0;i<t;i++)s[i*t+i]=s[i*t+i]+1;o.fill(
0);o[a]=1;if(!fn(s,o,t))return void 0;for(let i=0;i<t;i++)n[i*t+a]=o[i]}return n}function er(e,t){let r=Math.max(0,e.length-t);let n=e.length;while(r<n&&Number.isNaN(e[r]))r++;while(n>r&&Number.isNaN(e[n-
1]))n--;const o=e.subarray(r,n);let a=0;let s=Number.POSITIVE_INFINITY;let i=Number.NEGATIVE_INFINITY;let l=0;for(const d of o){
if(Number.isNaN(d))continue;if(!Number.isFinite(d))throw new P("INVALID_SERIES","The series holds an infinite value.");a=
Math.max(a,Math.abs(d));s=Math.min(s,d);i=Math.max(i,d);l++}if(l<2)throw new P("INSUFFICIENT_HISTORY","At least two obse\
rvations are needed.");let u=0;for(const d of o)if(!Number.isNaN(d))u+=Math.abs(d/a)/l;const c=a*u;const m=s===i||!(c>0);
return{values:o.map(d=>d/c),observed:l,scale:c,isPositive:s>0,isConstant:m}}function me(e){const t=Float64Array.from(e);
let r=-1;for(let n=0;n<t.length;n++){if(Number.isNaN(t[n]))continue;const o=r<0?t[n]:t[r];const a=r<0?0:(t[n]-o)/(n-r);for(let s=r+
1;s<n;s++)t[s]=o+a*(s-r);r=n}if(r>=0)t.fill(t[r],r+1);return t}var ec=5e3;function xa(e){const t=e.values.slice(-ec);const r=t.findIndex(m=>!Number.isNaN(m));const n=t.findLastIndex(m=>!Number.
isNaN(m));const o=t.subarray(Math.max(0,r),n+1);let a=0;let s=0;for(const m of o){if(Number.isNaN(m))s++;else a=Math.max(
a,Math.abs(m))}if(o.length-s<2)throw new P("INSUFFICIENT_HISTORY","ARIMA needs two observations.");if(!Number.isFinite(a))
throw new P("INVALID_SERIES","A value of the series is not finite.");const i=Math.max(1,Math.round(e.season)||1);if(a===
0)return{values:o,filled:me(o),gaps:s,season:i,unit:1};const l=o.map(m=>m/a);const u=rc(l)||1;const c=l.map(m=>m/u);return{
values:c,filled:tc(c,s,i),gaps:s,season:i,unit:a*u}}function tc(e,t,r){let n=me(e);if(t===0||r<2||e.length<=2*r)return n;
for(let o=0;o<2;o++){const{seasonal:a}=Zt(n,r,11);const s=me(e.map((i,l)=>i-a[l]));n=s.map((i,l)=>i+a[l])}return n}function rc(e){
let t=0;let r=0;for(const o of e){if(Number.isNaN(o))continue;r++;t+=(o-t)/r}let n=0;for(const o of e)if(!Number.isNaN(o))
n+=(o-t)**2;return Math.sqrt(n/r)}function ht(e){if(e===0)return e;const t=_n(e);const r=t%2===0?Mn(de,ye):xn(de,ye);return t<2?r+_():-(r+_())}function we(e){
const t=_n(e);const r=t%2===0?xn(de,ye):Mn(de,ye);return t===0||t===3?r+_():-(r+_())}function Ra(e){if(e===0)return e;const t=_n(
e);const r=Mn(de,ye);const n=_();const o=xn(de,ye);return t%2===0?lt(r,n,o,_()):-lt(o,_(),r,n)}var nc=Ue(3,2,8,-1);function Mn(e,t){
const r=e*e;return D(e,t*(1-r/2)-e*r*Fe(nc,r))}var oc=Ue(4,2,7,-1);function xn(e,t){const r=e*e;const n=D(1,-r/2);return D(
n,_()+(r*r*Fe(oc,r)-e*t))}var de=0;var ye=0;var ft=[1.5707963267341256,6077100506303966e-26,20222662487111665e-37,84784276603689e-45];
var ac=1e6;function _n(e){const t=Math.round(e/ft[0]);if(t===0){de=e;ye=0;return 0}if(!(Math.abs(t)<ac))return sc(e);const r=D(
e-t*ft[0],-t*ft[1]);const n=_();const o=D(r,-t*ft[2]);de=D(o,_()+n-t*ft[3]);ye=_();return(t%4+4)%4}var tr=1200n;var pt=0n;
function sc(e){if(!Number.isFinite(e)){de=NaN;return 0}if(pt===0n)pt=2n*(4n*_a(5n)-_a(239n));const t=Math.abs(e);const r=t<
2**53?BigInt(t*2**32)<<tr-32n:BigInt(t)<<tr;const n=(2n*r+pt)/(2n*pt);const o=r-n*pt>>tr-180n;const a=Number(o);de=Math.
sign(e)*a/2**180;ye=Math.sign(e)*Number(o-BigInt(a))/2**180;return Number(n%4n)*(e<0?3:1)%4}function _a(e){let t=(1n<<tr)/
e;let r=0n;for(let n=1n;t!==0n;n+=2n){r+=t/n;t/=-e*e}return r}function Ke(e){if(!(e>0&&e<1))return e===0?Number.NEGATIVE_INFINITY:e===1?Number.POSITIVE_INFINITY:Number.NaN;const t=e-
.5;if(Math.abs(t)<=.425){const o=.180625-t*t;return t*Rn(o,ic,lc)}const r=Math.sqrt(-N(t<0?e:1-e));const n=r<=5?Rn(r-1.6,
uc,cc):Rn(r-5,mc,dc);return t<0?-n:n}function Ta(e){return Ke(e.uniform()||Number.MIN_VALUE)}function Rn(e,t,r){let n=0;let o=0;for(let a=t.length-1;a>=0;a--){
n=n*e+t[a];o=o*e+r[a]}return n/o}var ic=[3.3871328727963665,133.14166789178438,1971.5909503065513,13731.69376550946,45921.95393154987,67265.7709270087,33430.57558358813,
2509.0809287301227];var lc=[1,42.31333070160091,687.1870074920579,5394.196021424751,21213.794301586597,39307.89580009271,
28729.085735721943,5226.495278852546];var uc=[1.4234371107496835,4.630337846156546,5.769497221460691,3.6478483247632045,
1.2704582524523684,.2417807251774506,.022723844989269184,.0007745450142783414];var cc=[1,2.053191626637759,1.6763848301838038,
.6897673349851,.14810397642748008,.015198666563616457,.0005475938084995345,10507500716444169e-25];var mc=[6.657904643501103,
5.463784911164114,1.7848265399172913,.29656057182850487,.026532189526576124,.0012426609473880784,27115555687434876e-21,20103343992922881e-23];
var dc=[1,.599832206555888,.1369298809227358,.014875361290850615,.0007868691311456133,18463183175100548e-21,1421511758316446e-22,
20442631033899397e-31];function rr(e,t){if(e===.5)return 0;if(e<=0||e>=1||t>1e6)return Ke(e);const r=e<.5?-1:1;const n=2*Math.min(e,1-e);const o=Math.
max(1,t);if(o===1)return r/Ra(n*Math.PI/2);if(o===2)return r*Math.sqrt(2/(n*(2-n))-2);const a=1/(o-.5);const s=48/(a*a);
let i=(20700*a/s-98)*a-16;i=i*a+96.36;const l=((94.5/(s+i)-3)/s+1)*Math.sqrt(a*Math.PI/2)*o;let u=v(l*n,2/o);if(u>.05+a){
const c=Ke(n/2);u=c*c;if(o<5)i+=.3*(o-4.5)*(c+.6);i=(((.05*l*c-5)*c-7)*c-2)*c+s+i;u=(((((.4*u+6.3)*u+36)*u+94.5)/i-u-3)/
s+1)*c;u=Bo(a*u*u)}else{u=((1/(((o+6)/(o*u)-.089*l-.822)*(o+2)*3)+.5/(o+4))*u-1)*((o+1)/(o+2))+1/u}return r*Math.sqrt(o*
u)}function Ee(e,t){const r=t*(e.length-1);const n=Math.floor(r);const o=e[n];const a=e[Math.min(n+1,e.length-1)];return o+
(r-n)*(a-o)}var fc=1.1;var pc=.1;function Ia(e,t,r,n,o){const{mean:a,variance:s,degrees:i}=e;const l=n.map(d=>rr(d,i));const u=a.map(
(d,f)=>fc*Math.sqrt(s[f])*yc(t,d));const{above:c,below:m}=$e(u,r,pc);return Array.from(a,(d,f)=>Float64Array.from(l,p=>{
const h=p>0?c[f]:m[f];return o*hc(d,h,p,t.level>0&&d>0)}))}function hc(e,t,r,n){if(!n||r===0)return e+t*r;const o=Math.sqrt(
e);const a=Math.max(0,o+r*t/(2*o));return r>0?Math.max(e,a*a):Math.min(e,a*a)}var bc=1;function Oa(e,t,r){const n=Ge(e,r);
let o=0;let a=0;for(const s of t){if(Number.isNaN(s))continue;if(!(s>0))return{recent:n,level:0};o+=s;a++}return{recent:n,
level:o/a}}function yc(e,t){if(e.level===0)return e.recent;return mn(e.recent*v(Math.max(t/e.level,0),bc/2))}var Pa={id:"arima",quantileSupport:{type:"requested"},fit:gc};function gc(e,t){const r=xa(e);const{values:n,filled:o,season:a,
unit:s}=r;if(ve(o))return ce(o.at(-1)*s);const i=Fa(r,Sa(o,a),t.signal);const l=$t(o);return(u,c)=>{X(c);const m=Ea(i.map(
({model:p,filter:h,observed:b})=>({aicc:p.aicc,prediction:Ma(h,p,b,u)})));const d=Oa(m.residuals,n,a);const f=Ia(m,d,l,c,
s);if(!f.every(p=>p.every(Number.isFinite))){throw new P("NOT_CONVERGED","The forecast leaves the range of numbers.")}return f}}var Ac=3;function nr(e,t){const{center:r,above:n,below:o,isRelative:a}=e;const s=Math.max(Ac,e.freedom);const i=t.map(l=>rr(
l,s));return Array.from(r,(l,u)=>Float64Array.from(i,c=>{const m=c>0?n[u]:o[u];if(!a||l<=0)return l+c*m;const d=l*C(c*Math.
sqrt(Ve((m/l)**2)));return c>0?Math.min(d,l+2*c*m):d}))}function or(e,t){for(const r of e)for(let n=0;n<r.length;n++)r[n]=
Math.max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,r[n]*t));return e}var Sc=.01;function sr(e,t,r){const n={adjusted:e,indices:0,restore:u=>u};if(t<2||e.length<=2*t)return n;const o=me(e);if(!Nc(
o,t))return n;const a=r?ar(o,t,true):null;const s=a?.every(u=>u>Sc)===true;const i=s?a:ar(o,t,false);if(i===null)return n;
const l=u=>i[u%t];return{adjusted:e.map((u,c)=>s?u/l(c):u-l(c)),indices:t-1,restore:u=>u.map((c,m)=>c.map(d=>s?d*l(e.length+
m):d+l(e.length+m)))}}function ar(e,t,r){const n=e.length;const o=2*n>=5*t?Fc(e,t):bt(e);const a=new Float64Array(t);const s=new Float64Array(
t);for(let u=0;u<n;u++){const c=o[u];if(Number.isNaN(c))continue;if(r&&!(c>0))return null;const m=r?e[u]/c:e[u]-c;a[u%t]=
a[u%t]+m;s[u%t]=s[u%t]+1}let i=0;for(let u=0;u<t;u++){a[u]=s[u]>0?a[u]/s[u]:r?1:0;i+=a[u]}const l=i/t;if(r&&!(l>0))return null;
for(let u=0;u<t;u++)a[u]=r?a[u]/l:a[u]-l;return a}function Fc(e,t){const r=e.length;const n=t>>1;const o=t%2===0;const a=new Float64Array(
r).fill(Number.NaN);let s=0;for(let i=0;i<Math.min(r,2*n+1);i++)s+=e[i];for(let i=n;i<r-n;i++){const l=o?(e[i-n]+e[i+n])/
2:0;a[i]=(s-l)/t;s+=(e[i+n+1]??0)-e[i-n]}return a}function bt(e){const t=e.length;const r=(t-1)/2;let n=0;let o=0;let a=0;
for(let i=0;i<t;i++){n+=e[i]/t;o+=(i-r)*e[i];a+=(i-r)**2}const s=a>0?o/a:0;return Float64Array.from(e,(i,l)=>n+s*(l-r))}
var wc=1.6448536269514722;var Ec=5e6;function Nc(e,t){const r=e.length;if(t<2||r<=2*t)return false;let n=0;for(let l=0;l<
r;l++)n+=e[l]/r;let o=0;for(let l=0;l<r;l++)o+=(e[l]-n)**2;if(!(o>0))return false;const a=l=>{let u=0;for(let c=l;c<r;c++)
u+=(e[c]-n)*(e[c-l]-n);return u/o};const s=Math.ceil(r*t/Ec);let i=0;for(let l=1;l<t;l+=s)i+=s*a(l)**2;return Math.abs(a(
t))/Math.sqrt((1+2*i)/r)>wc}function Ca(e,t,r){const n=t.length;const o=new Float64Array(n);let a=Float64Array.from(t);let s=e(a,o);if(!Number.isFinite(
s))return{point:a,value:Number.POSITIVE_INFINITY};const i=new Float64Array(n*n);va(i,r.steps);const l=new Float64Array(n);
const u=new Float64Array(n);const c=new Float64Array(n);const m=new Float64Array(n);let d=new Float64Array(n);let f=true;
let p=0;for(let h=0;h<r.maxIterations;h++){const b=xc(i,o,l);let y=f?Mc(l,r.steps):1;let S=Number.POSITIVE_INFINITY;if(b<
0){for(let g=0;g<12;g++){for(let w=0;w<n;w++){u[w]=y*l[w];d[w]=a[w]+u[w]}S=e(d,c);if(S<=s+1e-4*y*b)break;const A=2*(S-s-
y*b);y*=Number.isFinite(S)?Math.min(.5,Math.max(.1,-y*b/A)):.3;S=Number.POSITIVE_INFINITY}}if(S>=s){if(f)break;va(i,r.steps);
f=true;continue}_c(i,u,o,c,m,f);f=false;const F=s-S;[a,d]=[d,a];o.set(c);s=S;p=F<r.tolerance?p+1:0;if(p>=3)break}return{
point:a,value:s}}function Mc(e,t){let r=0;for(let n=0;n<t.length;n++)r=Math.max(r,Math.abs(e[n])/t[n]);return r>1?1/r:1}
function va(e,t){e.fill(0);for(let r=0;r<t.length;r++)e[r*t.length+r]=t[r]**2}function xc(e,t,r){const n=t.length;let o=0;
for(let a=0;a<n;a++){let s=0;for(let i=0,l=a*n;i<n;i++,l++)s-=e[l]*t[i];r[a]=s;o+=s*t[a]}return o}function _c(e,t,r,n,o,a){
const s=t.length;let i=0;for(let c=0;c<s;c++)i+=t[c]*(n[c]-r[c]);if(!(i>1e-14))return;let l=ka(e,r,n,o);if(a){const c=i/
l;for(let m=0;m<e.length;m++)e[m]=e[m]*c;l=ka(e,r,n,o)}const u=(1+l/i)/i;for(let c=0;c<s;c++){const m=t[c];const d=o[c];
for(let f=0,p=c*s;f<s;f++,p++){const h=t[f];e[p]=e[p]+u*m*h-(d*h+m*o[f])/i}}}function ka(e,t,r,n){const o=t.length;let a=0;
for(let s=0;s<o;s++){let i=0;for(let l=0,u=s*o;l<o;l++,u++)i+=e[u]*(r[l]-t[l]);n[s]=i;a+=i*(r[s]-t[s])}return a}function La(e,t){const r=[];for(const n of e?[false,true]:[false]){const o=!t?["none"]:n?["none","additive","multiplicat\
ive"]:["none","additive"];for(const a of o)for(const s of["none","linear","damped"])r.push({relativeError:n,trend:s,season:a})}
return r}function Da(e,t){const r=e.trend==="none"?0:e.trend==="linear"?2:3;return 3+r+(e.season==="none"?0:t)}function qa(e,t,r){const n=r==="none"?new Float64Array(0):ar(e,t,r==="multiplicative");if(n===null)return null;if(r==="m\
ultiplicative")for(let d=0;d<t;d++)n[d]=Math.max(.01,n[d]);const o=Float64Array.from(e,(d,f)=>{const p=n[f%t];return p===
void 0||r==="none"?d:r==="additive"?d-p:d/p});const a=o.subarray(0,Math.min(Math.max(10,2*t),e.length));const s=bt(a);const i=s[0];
const l=s.length>1?s[1]-i:0;const u=a.reduce((d,f)=>d+f,0)/a.length;let c=0;for(let d=1;d<o.length;d++)c+=(o[d]-o[d-1])**
2;const m=Math.sqrt(c/Math.max(1,o.length-1))+1e-6;return{withTrend:{level:i-l,slope:l,season:n,unit:m},flat:{level:u,slope:0,
season:n,unit:m}}}function Ua(e){return{alpha:0,beta:0,gamma:0,phi:0,level:0,trend:0,season:new Float64Array(e.season.length)}}function Wa(e,t,r,n){
n.alpha=n.beta=n.gamma=n.phi=n.level=n.trend=0;if(e.kind==="none")return Rc(e,t,r,n);const o=e.values.length;n.season.fill(
0,o,o+e.period);return e.kind==="additive"?Tc(e,t,r,n):Ic(e,t,r,n)}function Rc(e,{alpha:t,beta:r,phi:n},o,a){const{values:s,
trend:i,residual:l}=e;let u=0;let c=0;for(let m=s.length-1;m>=0;m--){const d=l[m];const f=i[m];a.alpha+=u*d;a.beta+=c*d;
const p=s[m];const h=!Number.isNaN(p)?t*u+r*c:0;const b=u+o[m]-h;a.phi+=(b+c)*f;c=n*(b+c);u=b}a.level=u;a.trend=c;return a}
function Tc(e,{alpha:t,beta:r,gamma:n,phi:o},a,s){const{values:i,period:l,trend:u,residual:c}=e;const m=s.season;let d=0;
let f=0;for(let p=i.length-1;p>=0;p--){const h=c[p];const b=u[p];const y=m[p+l];s.alpha+=d*h;s.beta+=f*h;s.gamma+=y*h;const S=i[p];
const F=!Number.isNaN(S)?t*d+r*f+n*y:0;const g=a[p]-F;const A=d+g;m[p]=y+g;s.phi+=(A+f)*b;f=o*(A+f);d=A}s.level=d;s.trend=
f;return s}function Ic(e,{alpha:t,beta:r,gamma:n,phi:o},a,s){const{values:i,period:l,level:u,trend:c,season:m,residual:d}=e;
const f=s.season;let p=0;let h=0;for(let b=i.length-1;b>=0;b--){const y=d[b];const S=c[b];const F=m[b];const g=u[b]+o*S;
const A=f[b+l];const w=t*p+r*h;s.alpha+=p*y/F;s.beta+=h*y/F;s.gamma+=A*y/g;const M=i[b];const x=!Number.isNaN(M)?w/F+n*A/
g:0;const R=a[b]-x;const O=p-n*A*y/(g*g)+R*F;f[b]=A-w*y/(F*F)+R*g;s.phi+=(O+h)*S;h=o*(O+h);p=O}s.level=p;s.trend=h;return s}var ke={level:10,trend:3,season:3};function $a(e,t,r,n,o){const a=Va(e,t,r);const s=r.season==="none"?0:Ga(e.gamma,t,n);
const i=a+s;const l=u=>{const c=e[u];e[u]=c+ir;o[u]+=(Va(e,t,r)+s-i)/ir;e[u]=c};l("alpha");if(r.trend!=="none")l("beta");
if(r.trend==="damped")l("phi");if(r.season!=="none"){o.gamma+=(a+Ga(e.gamma+ir,t,n)-i)/ir}return i}var ir=1e-5;function Va({
alpha:e,beta:t,phi:r},n,o){let a=1;let s=0;let i=0;let l=1;let u=0;let c=0;let m=0;for(let p=0;p<n;p++){const h=a+r*s;const b=i+
r*l;u+=h*h;c+=h*b;m+=b*b;a=(1-e)*h;s=r*s-t*h;i=(1-e)*b;l=r*l-t*b}const d=ke.level**2;const f=o.trend==="none"?0:ke.trend**
2;return N((1+d*u)*(1+f*m)-d*f*c*c)}function Ga(e,t,r){const n=(1-e)**2;const o=(1-v(n,t/r))/(1-n);return(r-1)*Ve(ke.season**
2*o)}function Qa(e,t,r,n){return t?Pc(e,r,n):Oc(e,r,n)}function Oc({values:e,residual:t},r,n){let o=r;let a=0;for(let i=0;i<e.
length;i++){const l=e[i];const u=t[i];o+=u*u;if(!Number.isNaN(l))a++}const s=-2*a/o;for(let i=0;i<e.length;i++)n.byFitted[i]=
s*t[i];n.squares=o;return a*N(o)}function Pc({values:e,fitted:t,residual:r},n,o){let a=n;let s=0;let i=0;let l=1;for(let c=0;c<
e.length;c++){const m=e[c];if(Number.isNaN(m))continue;const d=t[c];if(!(d>1e-9))return Number.POSITIVE_INFINITY;const f=r[c]/
d;a+=f*f;s++;l*=d;if(l<1e-200||l>1e200){i+=N(l);l=1}}i+=N(l);const u=-2*s/a;for(let c=0;c<e.length;c++){const m=e[c];const d=t[c];
o.byFitted[c]=!Number.isNaN(m)?u*r[c]*m/(d*d*d)+2/d:0}o.squares=a;return s*N(a)+2*i}function Ha(e,t,r){const n=e.length;return{values:e,period:t,kind:r,level:new Float64Array(n+1),trend:new Float64Array(n+
1),season:new Float64Array(r==="none"?0:n+t),fitted:new Float64Array(n),residual:new Float64Array(n)}}function Ya(e,t){if(e.
kind==="none")vc(e,t);else if(e.kind==="additive")kc(e,t);else return Cc(e,t);return true}function vc({values:e,level:t,
trend:r,fitted:n,residual:o},{alpha:a,beta:s,phi:i}){let l=t[0];let u=r[0];for(let c=0;c<e.length;c++){const m=i*u;const d=l+
m;const f=e[c]-d;const p=Number.isNaN(f)?0:f;l=d+a*p;u=m+s*p;n[c]=d;o[c]=p;t[c+1]=l;r[c+1]=u}}function kc(e,{alpha:t,beta:r,
gamma:n,phi:o}){const{values:a,period:s,level:i,trend:l,season:u,fitted:c,residual:m}=e;let d=i[0];let f=l[0];for(let p=0;p<
a.length;p++){const h=o*f;const b=d+h;const y=u[p];const S=b+y;const F=a[p]-S;const g=Number.isNaN(F)?0:F;d=b+t*g;f=h+r*
g;u[p+s]=y+n*g;c[p]=S;m[p]=g;i[p+1]=d;l[p+1]=f}}function Cc(e,{alpha:t,beta:r,gamma:n,phi:o}){const{values:a,period:s,level:i,
trend:l,season:u,fitted:c,residual:m}=e;let d=i[0];let f=l[0];for(let p=0;p<a.length;p++){const h=o*f;const b=d+h;const y=u[p];
if(!(b>1e-9&&y>1e-9))return false;const S=b*y;const F=a[p]-S;const g=Number.isNaN(F)?0:F;const A=g/y;d=b+t*A;f=h+r*A;u[p+
s]=y+n*g/b;c[p]=S;m[p]=g;i[p+1]=d;l[p+1]=f}return true}var Q=1e-4;var ur=.9999;var yt=.8;var Tn=.98;function cr(e){return 1+(e.trend==="none"?0:1)+(e.season==="none"?0:1)+(e.trend===
"damped"?1:0)}function Ba(e,t,r){let n=0;r.alpha=Q+(ur-Q)*Ne(t[n++]);r.beta=e.trend==="none"?0:Q+(r.alpha-Q)*Ne(t[n++]);
r.gamma=e.season==="none"?0:Q+(1-r.alpha-Q)*Ne(t[n++]);r.phi=e.trend==="damped"?yt+(Tn-yt)*Ne(t[n]):1}function ja(e,t,r){
const{alpha:n,beta:o,gamma:a,phi:s}=t;let i=0;r[i++]=lr((n-Q)/(ur-Q));if(e.trend!=="none")r[i++]=lr((o-Q)/(n-Q));if(e.season!==
"none")r[i++]=lr((a-Q)/(1-n-Q));if(e.trend==="damped")r[i]=lr((s-yt)/(Tn-yt))}function Xa(e,t,r,n){const o=Ne(t[0]);const a=Q+
(ur-Q)*o;let s=r.alpha;let i=1;if(e.trend!=="none"){const l=Ne(t[i]);s+=r.beta*l;n[i++]=r.beta*(a-Q)*l*(1-l)}if(e.season!==
"none"){const l=Ne(t[i]);s-=r.gamma*l;n[i++]=r.gamma*(1-a-Q)*l*(1-l)}if(e.trend==="damped"){const l=Ne(t[i]);n[i]=r.phi*
(Tn-yt)*l*(1-l)}n[0]=s*(ur-Q)*o*(1-o)}function Ne(e){return 1/(1+C(-e))}function lr(e){const t=Math.min(1-1e-6,Math.max(
1e-6,e));return N(t/(1-t))}function Ka({alpha:e,beta:t,gamma:r,phi:n},o){const a=e+t-e*n;let s=new Float64Array(o+2).fill(
a);s[0]=1;s[1]=e+t-n;s[o]=a+r-1;s[o+1]=n*(1-e-r);for(let i=o+1;i>0;i--){const l=s[i];if(!(Math.abs(l)<1))return false;const u=new Float64Array(
i);for(let c=0;c<i;c++)u[c]=(s[c]-l*s[i-c])/(1-l*l);s=u}return true}var Lc={alpha:.2,beta:.05*.2,gamma:.02*.8,phi:.97};var Dc=3;var qc=1e-18;function za(e,t,r){const{values:n,observed:o,period:a}=e;
const s=Ha(n,a,t.season);const i=Ua(s);const l={byFitted:new Float64Array(n.length),squares:0};const u={alpha:0,beta:0,gamma:0,
phi:1};const c=t.trend!=="none";const m=t.season!=="none";const d=cr(t);const f=d+(c?2:1);const p=f+(m?a:0);const h=new Float64Array(
p);const b=new Float64Array(p);const y=new Float64Array(p);ja(t,Lc,h);b.fill(3/Math.sqrt(o),0,d);y.fill(1/Dc**2,1,d);const S=Math.
max(.1,r.level);const F=t.relativeError?S:1;const g=(x,R,O,q)=>{h[x]=R;b[x]=O;y[x]=1/q**2};g(d,r.level,.5*r.unit,ke.level*
F);if(c)g(d+1,r.slope,.1*r.unit,ke.trend*F);const A=t.season==="multiplicative";for(let x=f;x<p;x++){const R=.3*r.unit/(A?
S:1);g(x,r.season[x-f],R,ke.season*(A?1:F))}const w=x=>{Ba(t,x,u);s.level[0]=x[d];s.trend[0]=c?x[d+1]:0;for(let R=f;R<p;R++)
s.season[R-f]=x[R];return!(c&&m&&!Ka(u,a))&&Ya(s,u)};const M=(x,R)=>{if(!w(x))return Number.POSITIVE_INFINITY;const O=T=>x[T]-
h[T];let q=qc;for(let T=d;T<p;T++)q+=y[T]*O(T)**2;let j=Qa(s,t.relativeError,q,l);if(!Number.isFinite(j))return Number.POSITIVE_INFINITY;
Wa(s,u,l.byFitted,i);j+=$a(u,n.length,t,a,i);Xa(t,x,i,R);R[d]=i.level;if(c)R[d+1]=i.trend;for(let T=f;T<p;T++)R[T]=i.season[T-
f];const ie=2*o/l.squares;for(let T=0;T<p;T++){const xe=y[T]*O(T);if(T<d)j+=xe*O(T);R[T]=R[T]+(T<d?2:ie)*xe}return j};return{
value:M,start:h,steps:b,smoothing:u,path:s,load:w}}var Uc=80;var Wc=.002;var Vc=1;function Gc(e,t,r){const n=e.observed-Da(t,e.period);if(n<2)return null;const{value:o,start:a,
steps:s,smoothing:i,path:l,load:u}=za(e,t,r);const c=Ca(o,a,{steps:s,maxIterations:Uc,tolerance:Wc});if(!Number.isFinite(
c.value)||!u(c.point))return null;let m=0;for(let h=0;h<l.residual.length;h++){const b=t.relativeError?l.fitted[h]:1;m+=
(l.residual[h]/b)**2}const d=m/(n+1);if(t.relativeError&&d>Vc)return null;const f=cr(t)+1;const p=2*f*(f+1)/(e.observed-
f-1);return{form:t,smoothing:i,path:l,variance:d,freedom:n,aicc:c.value+2*f+p}}function Ja(e,t,r){const n=me(e.values);const o=new Map;
const a=[];for(const s of La(t,e.period>1)){W(r);const{season:i}=s;const l=i==="none"?1:e.period;if(!o.has(i))o.set(i,qa(
n,l,i));const u=o.get(i);if(!u)continue;const c=Gc({...e,period:l},s,s.trend==="none"?u.flat:u.withTrend);if(c)a.push(c)}
return a.sort((s,i)=>s.aicc-i.aicc)}function In(e,t,r){const{form:n,smoothing:o,path:a}=e;const{alpha:s,beta:i,gamma:l,phi:u}=o;const{period:c}=a;const m=a.
values.length;const d=n.season==="multiplicative";const f=new Float64Array(r);const p=new Float64Array(r);const h=new Float64Array(
r);const b=new Float64Array(r);let y=0;let S=1;for(let A=0;A<r;A++){const w=n.season==="additive"&&A%c===0;b[A]=s+i*y+(w?
l:0);S*=u;y+=S;f[A]=a.level[m]+y*a.trend[m];const M=n.season==="none"?0:a.season[m+A%c];p[A]=d?f[A]*M:f[A]+M}if(!n.relativeError){
let A=1;for(let w=0;w<r;w++){if(w>0)A+=b[w]**2;h[w]=Math.sqrt(t*A)}return{mean:p,deviation:h}}const F=d?f:p;const g=new Float64Array(
r);for(let A=0;A<r;A++){let w=F[A]**2;for(let R=1;R<=A;R++)w+=t*b[R]**2*g[A-R];g[A]=w;const M=d?v(1+l*l*t,Math.floor(A/c)):
1;const x=d?a.season[m+A%c]:1;h[A]=x*Math.sqrt(Math.max(0,(1+t)*M*w-F[A]**2))}return{mean:p,deviation:h}}var $c=4;var Qc=.2;var Hc=.01;function Za(e,t){const r=e[0];const{mean:n,deviation:o}=In(r,r.variance,t);const a=e.map(p=>C(
-.5*(p.aicc-r.aicc)/$c));const s=a.reduce((p,h)=>p+h,0);const i=new Float64Array(t);e.forEach((p,h)=>{const b=a[h]/s;if(b<
Hc)return;const{mean:y,deviation:S}=p===r?{mean:n,deviation:o}:In(p,p.variance,t);for(let F=0;F<t;F++){const g=y[F]-n[F];
i[F]=i[F]+b*(S[F]**2+g*g)}});const{path:l,form:u,freedom:c}=r;const m=Ge(Yc(r),l.period);const d=i.map(p=>m*Math.sqrt(p));
const f=$e(d,$t(l.values),Qc);return{center:n,...f,freedom:c,isRelative:u.relativeError}}function Yc({path:e,form:t}){const{
values:r,residual:n,fitted:o}=e;return n.map((a,s)=>Number.isNaN(r[s])?Number.NaN:a/(t.relativeError?o[s]:1))}function es(e,t){
const r=e.filter(l=>!Number.isNaN(l));let n=0;for(let l=1;l<r.length;l++)n+=(r[l]-r[l-1])**2;const o=Math.sqrt(n/(r.length-
1));const a=r[r.length-1];const s=new Float64Array(t).fill(a);const i=s.map((l,u)=>o*Math.sqrt(u+1));return{center:s,above:i,
below:i,freedom:r.length-1,isRelative:false}}var ts=2e3;var Bc=12;var jc=2e4;var Xc=24;var rs={id:"ets",quantileSupport:{type:"requested"},fit(e,{signal:t}){const r=Math.
max(ts,Math.min(jc,Bc*e.season));const{values:n,scale:o,isPositive:a,isConstant:s}=er(e.values,r);if(s)return ce(e.values.
at(-1));const i=e.season>Xc;const l=sr(n,i?e.season:1,a);const u=l.adjusted.subarray(Math.max(0,n.length-ts));const c=u.
reduce((p,h)=>p+(Number.isNaN(h)?0:1),0);const m=u.every(p=>!(p<=0));const d=i?1:Math.max(1,e.season);const f=Ja({values:u,
observed:c,period:d},m,t);return(p,h)=>{X(h);const b=f.length>0?Za(f,p):es(u,p);return or(l.restore(nr(b,h)),o)}}};var ns=Array.from({length:20},(e,t)=>(t+1)/20);var Kc=3;function as(e,t){const r=ns.map(c=>os(e,c).squares);const n=Math.
max(Math.min(...r),1e-300);let o=0;let a=0;ns.forEach((c,m)=>{const d=v(Math.max(r[m],n)/n,-e.length/2);const f=d*v(c,Kc);
o+=f;a+=f*c});const s=a/o;const{level:i,squares:l}=os(e,s);const u=Math.max(e.length-3-t,e.length/2);return{level:i,share:s,
errorDeviation:Math.sqrt(l/u)}}function os(e,t){let r=0;let n=0;for(const o of e){const a=o-r;n+=a*a;r+=t*a}return{level:r,
squares:n}}var mr=300;var zc={seed:1,tolObj:1e-6,tolRelObj:1e8,tolParam:1e-7};var Jc=[[1,mr],[.1,mr],[.3,mr],[.03,mr],[.1,60],[.1,20],
[.3,8]];function ss(e,t){const r=JSON.stringify(t);const n=t.y[0];const o=t.y[t.T-1];const a=s=>({k:o-n,m:n,delta:new Float64Array(
t.S),beta:new Float64Array(t.K),sigmaObs:s});for(const[s,i]of Jc){try{const{params:l}=e.optimize(a(s),r,{...zc,iter:i});
if(Zc(l))return l}catch(l){if(!(l instanceof Error))throw l}}throw new P("NOT_CONVERGED","The search for the parameters \
of prophet did not converge.")}function Zc(e){const{k:t,m:r,sigmaObs:n,delta:o,beta:a}=e;return[t,r,n,...o,...a].every(Number.
isFinite)&&n>=0}var dr=7;var ze=365.25;function us(e,t){if(e<2)return[];const r=ls(t,e);const n=ls(t,1);if(r===null||n===null)return[];const o=n/
E;const a=(t[t.length-1]-t[0])/E+o;const s=em(r/E);const i=[{periodDays:s,order:is(e)}];const l=u=>({periodDays:u,order:is(
tm(t,u*E))});if(s===ze&&o<=1.5)i.push(l(dr));if(s===dr&&o<=.5)i.push(l(1));if(s===dr&&o>=.9)i.push({periodDays:ze,order:6});
return i.filter(({periodDays:u,order:c})=>c>0&&a>=1.95*u)}function is(e){if(e<=7)return Math.floor(e/2);return e<=12?4:e<=
60?6:8}function em(e){const t=[dr,ze/12,ze/4,ze/2,ze];return t.find(r=>Math.abs(e-r)<.05*r)??e}function On(e,t){const r=[];
for(const{periodDays:n,order:o}of t){const a=2*Math.PI*e/E/n;for(let s=1;s<=o;s++)r.push(ht(s*a),we(s*a))}return r}function ls(e,t){
const r=e.length-t;if(r<1)return null;return cs(Float64Array.from({length:r},(n,o)=>e[o+t]-e[o]))}function tm(e,t){let r=0;
const n=Float64Array.from(e,(o,a)=>{while(r<e.length&&e[r]<o+t)r++;return r-a});return cs(n)}function cs(e){return e.sort()[e.
length>>1]}var fr={changepointPrior:.05,changepointRange:.9};var rm=25;var nm=.15;function pr(e,t,r,n){const o=t.units.length;const a=t.
times[0];const s=t.times[o-1]-a;const i=Array.from(t.times,g=>(g-a)/s);const l=om(i,n.changepointRange);const u=r.length>
0;const c=Array.from(t.times,g=>u?On(g,r):[0]);const m=c[0].length;const{k:d,m:f,delta:p,beta:h}=ss(e,{T:o,y:Array.from(
t.units),t:i,cap:new Array(o).fill(0),S:l.length,t_change:l,trend_indicator:0,K:m,s_a:new Array(m).fill(1),s_m:new Array(
m).fill(0),X:c,sigmas:new Array(m).fill(nm),tau:n.changepointPrior});let b=d;let y=f+d;let S=0;for(let g=0;g<l.length;g++){
b+=p[g];y+=p[g]*(1-l[g]);S+=Math.abs(p[g])}const F=Float64Array.from(t.units,(g,A)=>{const w=i[A];const M=l.reduce((x,R,O)=>x+
p[O]*Math.max(0,w-R),f+d*w);return g-M-ms(c[A],h)});return{startMs:a,spanMs:s,level:y,growth:b,changeRate:l.length,changeSize:S/
Math.max(1,l.length),carried:as(F,u?m:0),seasonal:g=>ms(On(g,r),h)}}function ms(e,t){return e.reduce((r,n,o)=>r+n*t[o],0)}
function om(e,t){const r=Math.floor(e.length*t);const n=Math.min(rm,r-1,Math.ceil(e.length/3));if(n<1)return[0];return Array.
from({length:n},(o,a)=>e[Math.round((a+1)*(r-1)/n)])}function Pn(e){let t=e>>>0;const r=()=>{t=t+2654435769|0;let l=t^t>>>16;l=Math.imul(l,569420461);l=l^l>>>15;l=Math.imul(
l,1935289751);return l^l>>>15|0};let n=r();let o=r();let a=r();let s=r();const i=()=>{const l=Math.imul(o,5);const u=Math.
imul(l<<7|l>>>25,9);const c=o<<9;a^=n;s^=o;o^=a;n^=s;a^=c;s=s<<11|s>>>21;return u>>>0};return{uniform:()=>((i()>>>5)*67108864+
(i()>>>6))/9007199254740992}}var hr=500;function gt(e,t,r){const n=new Float64Array(r.length);let o=e.level+e.carried.level;let a=e.growth;let s=e.startMs+
e.spanMs;for(let i=0;i<r.length;i++){const l=r[i];a*=t;o+=a*(l-s)/e.spanMs;n[i]=o+e.seasonal(l);s=l}return n}function br(e,t,r,n){
const{share:o,errorDeviation:a}=e.carried;const s=Pn(n);const i=Array.from(r,()=>new Float64Array(2*hr));const l=new Float64Array(
hr);const u=new Float64Array(hr);let c=e.startMs+e.spanMs;for(let m=0;m<r.length;m++){const d=i[m];const f=(r[m]-c)/e.spanMs;
const p=Math.min(e.changeRate*f,20);const h=C(-p);c=r[m];for(let b=0;b<hr;b++){let y=l[b]*t;for(let A=am(p,h,s.uniform());A>
0;A--){y+=sm(e.changeSize,s.uniform())}l[b]=y;const S=u[b]+y*f;const F=a*Ta(s);const g=S+F;u[b]=S+o*F;d[2*b]=g;d[2*b+1]=
-g}d.sort()}return i}function am(e,t,r){let n=t;let o=n;let a=0;while(r>o&&a<50){a++;n*=e/a;o+=n}return a}function sm(e,t){
const r=t-.5;return-e*Math.sign(r)*N(Math.max(1e-300,1-2*Math.abs(r)))}function hs(e,t,r,n,o){const a=um(t.units.length,r);const s=a.flatMap(([u,c])=>{W(o.signal);return im(e,t,u,c,n)??[]});const i=dm(
s);const l=hm(s,i,o.seed);return{damping:i,widening:l,rows:t.units.length}}function im(e,t,r,n,o){const a=t.units.subarray(
0,r);if(a.every(l=>l===a[0]))return null;const s={times:t.times.subarray(0,r),units:a};const i={times:t.times.subarray(r,
r+n),units:t.units.subarray(r,r+n)};try{return{trend:pr(e,s,o,fr),after:i}}catch(l){if(l instanceof P&&l.code==="NOT_CON\
VERGED")return null;throw l}}var lm=200;function um(e,t){const r=Math.min(Math.max(6,Math.ceil(1.5*t)),30,Math.floor(e/4));
const n=Math.max(8,t>1&&e-r>=2*t?2*t:0);if(r<2||e-r<n)return[];const o=Math.max(n,e-2*r);return e>lm||o>=e-r-1?[[e-r,r]]:
[[e-r,r],[o,r]]}function cm(e,t){let r=0;let n=0;for(const{trend:o,after:a}of e){const s=gt(o,t,a.times);for(let i=0;i<s.
length;i++){r+=Math.abs(a.units[i]-s[i]);n++}}return r/n}var ds=[.7,.8,.9,1];var mm=3;function dm(e){const t=ds.map(a=>e.
length>0?Math.max(cm(e,a),1e-12):1);const r=Math.min(...t);const n=t.map(a=>v(r/a,mm));const o=n.reduce((a,s)=>a+s,0);return ds.
reduce((a,s,i)=>a+s*n[i]/o,0)}var fs=1.2;var ps=24;var fm=.7;var pm=2;function hm(e,t,r){const n=[];for(const{trend:l,after:u}of e){
const c=gt(l,t,u.times);const m=br(l,t,u.times,r);for(let d=0;d<c.length;d++){const f=Ee(m[d],.9);n.push(Math.abs(u.units[d]-
c[d])/Math.max(f,1e-9))}}if(n.length===0)return fs;const o=Float64Array.from(n).sort();const a=Math.min(o.length,Math.ceil(
.8*(o.length+1)));const s=o[a-1];const i=(n.length*s+ps*fs)/(n.length+ps);return Math.min(Math.max(i,fm),pm)}function yr(e,t){if(e.some(i=>!(i>0)))return Number.NEGATIVE_INFINITY;const r=t>1&&e.length>2*t?t:1;const n=Math.max(0,e.
length-r);const o=new Float64Array(n);const a=new Float64Array(n);let s=0;for(let i=0;i<n;i++){const l=e[i+r];const u=e[i];
o[i]=l-u;a[i]=N(l)-N(u);s+=N(l)}return n/2*(bs(o)-bs(a))-s}function bs(e){let t=0;for(const o of e)t=Math.max(t,Math.abs(
o));if(!(t>0))return Number.NEGATIVE_INFINITY;const r=e.reduce((o,a)=>o+a/t,0)/e.length;const n=e.reduce((o,a)=>o+(a/t-r)**
2,0)/e.length;return N(n)+2*N(t)}var ys=6;function gs(e,t){const r=yr(e,t)>=0;const n=r?N:i=>i;let o=Number.POSITIVE_INFINITY;let a=Number.NEGATIVE_INFINITY;
for(const i of e){o=Math.min(o,n(i));a=Math.max(a,n(i))}const s=a-o;if(!(s>1e-12*Math.max(Math.abs(o),Math.abs(a),r?1:0))||
s<1e-290)return null;return{isLog:r,toUnit:i=>(n(i)-o)/s,fromUnit:i=>{const l=o+Math.min(Math.max(i,-ys),1+ys)*s;return r?
C(Math.min(Math.max(l,-700),700)):l}}}var As=1e150;var Es=1500;var Ss=4;function Ns(e){return{id:"prophet",quantileSupport:{type:"requested"},fit:(t,r)=>bm(e,
t,r)}}function bm(e,t,r){W(r.signal);const{times:n,values:o}=gm(t);if(o.length<Ss){throw new P("INSUFFICIENT_HISTORY",`p\
rophet needs at least ${Ss} observations.`)}const a=Math.max(1,Math.round(t.season));const s=gs(o,a);if(s===null)return ce(
o[o.length-1]);ws(t,1);const i={times:n,units:o.map(s.toUnit)};const l=us(a,t.times.subarray(-Es));const u=r.earlierFit&&
Fs.get(r.earlierFit);const c=u!==void 0&&i.units.length<=ym*u.rows?u:hs(e,i,a,l,r);const{damping:m,widening:d}=c;W(r.signal);
const f=pr(e,i,l,fr);W(r.signal);const p=(h,b)=>{X(b);const y=ws(t,h);const S=gt(f,m,y);const F=br(f,m,y,r.seed);return F.
map((g,A)=>Float64Array.from(b,w=>s.fromUnit(S[A]+d*Ee(g,w))))};Fs.set(p,c);return p}var Fs=new WeakMap;var ym=1.5;function gm(e){
const t=Math.max(0,e.values.length-Es);const r=[];const n=[];for(let o=t;o<e.values.length;o++){const a=e.values[o];if(Number.
isNaN(a))continue;if(!(Math.abs(a)<=As)){throw new P("INVALID_SERIES",`prophet takes values up to ${As}, got ${a}.`)}r.push(
e.times[o]);n.push(a)}return{times:Float64Array.from(r),values:Float64Array.from(n)}}function ws({cadence:e,times:t},r){
const n=t[t.length-1];try{return it(e,n,r)}catch(o){if(o instanceof G){throw new P("INVALID_SERIES",`The series does not\
 end on a timestamp of its cadence. ${o.message}`)}if(o instanceof RangeError){throw new P("UNSUPPORTED_HORIZON",`There \
are no dates for ${r} steps ahead. ${o.message}`)}throw o}}var Ms=1e150;var vn={id:"seasonal_naive",quantileSupport:{type:"requested"},fit(e,t){W(t.signal);return Am(e)}};function Am(e){
const{values:t}=e;const r=t.filter(i=>!Number.isNaN(i));if(r.length<1)throw new P("INSUFFICIENT_HISTORY","seasonal_naive\
 needs an observation.");if(r.some(i=>!(Math.abs(i)<=Ms))){throw new P("INVALID_SERIES",`seasonal_naive takes values up \
to ${Ms}.`)}const n=Math.max(1,Math.round(e.season));const o=t.length>n?n:1;const a=Sm(t,o);const s=xs(t,o)??xs(t,1)??0;
return(i,l)=>{X(l);const u=l.map(Ke);return Array.from({length:i},(c,m)=>{const d=(t.length+m)%o;const f=Math.floor(m/o)+
1+a.missedSeasons[d];const p=s*Math.sqrt(f);return Float64Array.from(u,h=>a.values[d]+h*p)})}}function Sm(e,t){const r=new Float64Array(
t).fill(Number.NaN);const n=new Float64Array(t);for(let a=0;a<e.length;a++){const s=e[a];if(Number.isNaN(s))continue;r[a%
t]=s;n[a%t]=Math.floor((e.length-1-a)/t)}const o=e.findLast(a=>!Number.isNaN(a));for(let a=0;a<t;a++){if(Number.isNaN(r[a]))
r[a]=r[(a+t-1)%t]??Number.NaN;if(Number.isNaN(r[a]))r[a]=o}return{values:r,missedSeasons:n}}function xs(e,t){const r=[];
let n=0;for(const o of e)if(Math.abs(o)>n)n=Math.abs(o);if(n===0)return 0;for(let o=t;o<e.length;o++){if(Number.isNaN(e[o]))
continue;let a=1;while(o-a*t>=0&&Number.isNaN(e[o-a*t]))a++;const s=e[o-a*t];if(s!==void 0)r.push(((e[o]-s)/n)**2/a)}if(r.
length===0)return null;return n*Math.sqrt(r.reduce((o,a)=>o+a,0)/r.length)}var Fm=.001;var wm=3;var _s=1/12;function Rs(e,{intercept:t,slope:r},n){const o=e[0];const a=1-n;let s=o;let i=1;let l=Fm;
let u=0;let c=0;let m=0;let d=0;let f=0;let p=0;for(let R=0;R<e.length;R++){const O=e[R]-s;if(!Number.isNaN(O)){if(R>=2){
const q=i*t[R]+(1-i*a)/n*r[R];l+=i*i;u+=i*q;c+=q*q;m+=i*O;d+=q*O;f+=O*O;p++}s+=n*O}i*=a}const h=c-u*u/l;const b=h>1e-12*
c;const y=b?(d-u*m/l)/h:0;const S=Math.min(1,Math.max(0,y));const F=(m-S*u)/l;const g=F*m+S*d;const A=F*F*l+2*F*S*u+S*S*
c;const w=Math.max(0,f-2*g+A);const M=w/Math.max(1,p-wm);const x=b?Math.min(_s,M/h):_s;return{alpha:n,weight:S,weightVariance:x,
initialLevel:o+F,squares:w,variance:M,observed:p}}function Ts(e){const t=e.length;const r=new Float64Array(t+1);const n=new Float64Array(
t+1);let o=0;let a=0;for(let s=1;s<=t;s++){let i=e[s-1];if(Number.isNaN(i))i=r[s-1]+a*s;a=s===1?0:((s-2)*a+6*(i-o)/s)/(s+
1);o+=(i-o)/s;n[s]=a;r[s]=o-a*(s+1)/2}return{intercept:r,slope:n}}var kn=.05;var Is=.99;var Os=16;var Em=12;var Nm=.01;var gr=(Math.sqrt(5)-1)/2;function Ps(e,t){const r=Ts(e);const n=m=>{
W(t);return Rs(e,r,m)};const o=(Is-kn)/Os;const a=Array.from({length:Os+1},(m,d)=>n(kn+d*o));let s=a.reduce((m,d)=>d.squares<
m.squares?d:m);let i=Math.max(kn,s.alpha-o);let l=Math.min(Is,s.alpha+o);let u=n(l-gr*(l-i));let c=n(i+gr*(l-i));for(let m=0;m<
Em;m++){if(u.squares<c.squares){l=c.alpha;c=u;u=n(l-gr*(l-i))}else{i=u.alpha;u=c;c=n(i+gr*(l-i))}}for(const m of[u,c])if(m.
squares<s.squares)s=m;return{values:e,line:r,best:s,plausible:Mm(a,s)}}function Mm(e,t){if(!(t.squares>0))return[{solution:t,
share:1}];const r=e.map(({squares:o})=>v(t.squares/o,t.observed/2));const n=r.reduce((o,a)=>o+a,0);if(!(n>0))return[{solution:t,
share:1}];return e.map((o,a)=>({solution:o,share:r[a]/n})).filter(({share:o})=>o>=Nm)}function Cn(e,{alpha:t,initialLevel:r}){const n=new Float64Array(e.length+1);let o=r;n[0]=o;for(let a=0;a<e.length;a++){
const s=e[a]-o;if(!Number.isNaN(s))o+=t*s;n[a+1]=o}return n}function At({alpha:e,weight:t},r,n,o,a){const s=1-e;let i=o;
let l=v(s,n);let u=r.slope[n];let c=r.intercept[n];let m=c+u*(n+1)/2;for(let d=0;d<a.length;d++){const f=i+t*(l*c+(1-l*s)/
e*u);a[d]=f;i+=e*(f-i);l*=s;const p=n+d+1;u=((p-2)*u+6*(f-m)/p)/(p+1);m+=(f-m)/p;c=m-u*(p+1)/2}}var xm=2;var _m=3;function vs({values:e,line:t,best:r},n,o,a){const s=e.length;const i=Math.min(o,Jo);const l=dn(i);const u=dn(
i);const c=new Float64Array(i);const m=new Float64Array(s).fill(Number.NaN);const d=new Float64Array(s).fill(Number.NaN);
let f=0;let p=0;let h=0;let b=a;for(let g=Math.max(xm,s-zo);g<s;g++){At(r,t,g,n[g],c);for(let A=0;A<Math.min(i,s-g);A++){
const w=c[A];const M=Math.abs(e[g+A]-w);if(Number.isNaN(M))continue;const x=M/Math.max(w,.1*e[g+A]);l.sum[A]=l.sum[A]+M;
l.count[A]=l.count[A]+1;u.sum[A]=u.sum[A]+x;u.count[A]=u.count[A]+1;if(A>0)continue;m[g]=M;d[g]=x;f+=M*M;p+=x*x;if(w>0)h+=
N(w);else b=false}}const y=l.count[0]??0;const S=Math.max(1,y-_m);const F=b&&y*N(p)+2*h<y*N(f);return F?{isRelative:F,variance:p/
S,byStep:u,oneStepErrors:d}:{isRelative:false,variance:f/S,byStep:l,oneStepErrors:m}}var Rm=1.5;var Tm=.2;var ks=3;function Cs(e,t,r,n){const{values:o,line:a,best:s,plausible:i}=e;const l=o.length;const u=Cn(
o,s);const c=vs(e,u,t,n);const m=new Float64Array(t);At(s,a,l,u[l],m);const d=ks+r;const f=Math.max(1,s.observed+2-d);const p=c.
variance*(1+d/l)*Math.max(1,s.observed-ks)/Math.max(1,s.observed-d);const h=new Float64Array(t);const b=new Float64Array(
t);const y=new Float64Array(t);const S=(M,x,R)=>{const{alpha:O}=M;const q=s.variance>0?M.variance/s.variance:1;const j=Im(
M,l);const ie=a.slope[l];for(let T=0;T<t;T++){const xe=c.isRelative?Math.max(.001,m[T])**2:1;const Ml=p*q*xe;const xl=M.
weightVariance*(ie*(T+1+(1-O)/O))**2;const So=h[T]-m[T];const _l=Ml*(1+T*O*O+j*(T+1)**2)+xl+So*So;R[T]=R[T]+x*_l}};h.set(
m);S(s,1,y);for(const{solution:M,share:x}of i){const R=Cn(o,M)[l];At(M,a,l,R,h);S(M,x,b)}const F=y.map((M,x)=>Math.sqrt(
1+x*s.alpha*s.alpha));const g=Zo(c.byStep,F,Rm);const A=Ge(c.oneStepErrors,r+1);const w=y.map((M,x)=>A*Math.sqrt(Math.max(
M,b[x])*g[x]));return{center:m,...$e(w,a.slope[l],Tm),freedom:f,isRelative:n}}function Im({alpha:e,weight:t},r){return t*
t*(1.2*e*e/r+12*(1-e)**2/(r*r*r))}var Om=2e4;var Ls={id:"theta",quantileSupport:{type:"requested"},fit(e,{signal:t}){const{values:r,scale:n,isPositive:o,isConstant:a}=er(
e.values,Om);if(a)return ce(e.values.at(-1));const s=sr(r,e.season,o);const i=Ps(s.adjusted,t);return(l,u)=>{X(u);const c=Cs(
i,l,s.indices,o);return or(s.restore(nr(c,u)),n)}}};var St={type:"requested"};var fe=[{id:"prophet",name:"Prophet",defaultWeight:.2,quantileSupport:St,reusesEarlierFits:true},
{id:"toto",name:"Toto",defaultWeight:.2,quantileSupport:{min:.1,max:.9,interpolation_inside_range:true},isPretrained:true},
{id:"ets",name:"Exponential smoothing",defaultWeight:.2,quantileSupport:St},{id:"theta",name:"Theta",defaultWeight:.2,quantileSupport:St},
{id:"arima",name:"ARIMA",defaultWeight:.2,quantileSupport:St},{id:"seasonal_naive",name:"Seasonal naive",defaultWeight:0,
quantileSupport:St}];var Ln=fe.filter(({defaultWeight:e})=>e>0).map(({id:e})=>e);function Ds(e){const t=[...e.prophet===
void 0?[]:[Ns(e.prophet)],rs,Ls,Pa,vn];return new Map(t.map(r=>[r.id,r]))}function Ar(e,t){const r=t.indexOf(.5);let n=0;let o=0;const a=r<0?0:Pm(e,r);let s=0;let i=0;let l=0;for(const{actual:m,
quantiles:d}of e){l+=Math.abs(m);t.forEach((b,y)=>{i+=2*Ft(b,m,d[y])});if(r<0)continue;const f=d[r];const p=Math.abs(m-f);
const h=Math.abs(m)+Math.abs(f);n+=p;o+=a>0?(p/a)**2:0;s+=h>0?2*p/h:0}const u=e.length;const c=r<0?0:u;return{count:u,point_count:c,
mae:c>0?n/c:null,rmse:c>0?a*Math.sqrt(o/c):null,smape:c>0?s/c:null,average_wql:l>0&&Number.isFinite(i/l)?i/t.length/l:null,
coverage:vm(e,t)}}var Sr=Ar([],[]);function Pm(e,t){return e.reduce((r,{actual:n,quantiles:o})=>Math.max(r,Math.abs(n-o[t])),
0)}function Ft(e,t,r){const n=t-r;return n>=0?e*n:(e-1)*n}function vm(e,t){const r={};if(e.length===0)return r;t.forEach(
(n,o)=>{const a=t.findIndex(i=>Math.abs(i-(1-n))<1e-9);if(a<=o)return;const s=e.filter(({actual:i,quantiles:l})=>i>=l[o]&&
i<=l[a]);r[String(Math.round((1-2*n)*1e9)/1e9)]=s.length/e.length});return r}function se(e){return e.map(t=>qs(Float64Array.from(t,r=>r?1:0)))}function wt(e,t){return e.map(r=>qs(Float64Array.from(
r,(n,o)=>n?t[o]:0)))}function Fr(e,t,r){return e.map((n,o)=>n.map((a,s)=>(1-r)*a+r*t[o][s]))}function Dn(e,t,r){let n=0;
for(let o=0;o<t.length;o++){const a=t[o];if(a!==0)n+=a*e.values[o][r]}return n}function Et(e,t){let r=0;let n=0;for(const o of e.
folds){for(const a of o){e.levels.forEach((s,i)=>{r+=Ft(s,a.actual,Dn(a,t[i],i));n++})}}return n>0?r/n:0}function Je(e){
const t=e.supports[0]?.length??0;return Float64Array.from({length:t},(r,n)=>{let o=0;let a=0;for(const s of e.folds.flat()){
e.levels.forEach((i,l)=>{if(!e.supports[l]?.[n])return;o+=Ft(i,s.actual,s.values[n][l]);a++})}return a>0?o/a:0})}function qs(e){
const t=e.reduce((r,n)=>r+n,0);return t>0?e.map(r=>r/t):e}var $s=.25;var Qs=e=>{const t=Je(e);const r=t.reduce((o,a)=>Math.min(o,a),Number.POSITIVE_INFINITY);if(!(r>0))return se(
e.supports);const n=t.map(o=>(r/o)**2);return Fr(wt(e.supports,n),se(e.supports),$s)};var Us=.6;var Hs=({supports:e,isPretrained:t})=>e.
map((r,n)=>{const o=r.map((i,l)=>i&&t[l]===true);const a=o.filter(Boolean).length;const s=r.filter(Boolean).length-a;if(a===
0||s===0)return se(e)[n];return Float64Array.from(r,(i,l)=>{if(!i)return 0;return o[l]?Us/a:(1-Us)/s})});var km=8;var Ys=e=>{
const t=e.supports[0]?.length??0;const r=new Float64Array(t);for(let n=0;n<km;n++){let o=0;let a=Number.POSITIVE_INFINITY;
for(let s=0;s<t;s++){r[s]=r[s]+1;const i=Et(e,Ws(e,r));r[s]=r[s]-1;if(i<a){a=i;o=s}}r[o]=r[o]+1}return Fr(Ws(e,r),se(e.supports),
$s)};function Ws(e,t){const r=se(e.supports);return wt(e.supports,t).map((n,o)=>n.some(a=>a>0)?n:r[o])}var Vs=60;var Gs=60;
var Bs=e=>{const t=e.folds.flat();const r=se(e.supports);const n=Et(e,r);if(!Number.isFinite(1/n))return r;const o=e.levels.
map((a,s)=>{let i=r[s];const l=new Float64Array(i.length);for(let u=0;u<Vs;u++){const c=new Float64Array(i.length);for(const h of t){
const b=h.actual>=Dn(h,i,s);for(let y=0;y<i.length;y++){const S=h.values[y][s];if(i[y]>0)c[y]=c[y]+(b?-a:1-a)*S}}const m=1/
(n*t.length*Math.sqrt(u+1));const d=c.reduce((h,b,y)=>i[y]>0?Math.min(h,b):h,Number.POSITIVE_INFINITY);const f=i.map((h,b)=>h>
0?h*C(-m*(c[b]-d)):0);const p=f.reduce((h,b)=>h+b,0);i=f.map(h=>h/p);for(let h=0;h<l.length;h++)l[h]=l[h]+i[h]/Vs}return l});
return Fr(o,r,Gs/(Gs+t.length))};var wr=["rolling_pinball_v1","rolling_loss_selection_v2"];var Cm={equal:e=>se(e.supports),mostly_pretrained:Hs,inverse_loss:Qs,
greedy_selection:Ys,convex_per_quantile:Bs};var Lm=1;function js(e,t){const r=e.isPretrained.includes(true)&&e.isPretrained.
includes(false);const n=Object.entries(Cm).filter(([c])=>r||c!=="mostly_pretrained");const o=n.map(([c,m])=>({name:c,weights:m(
e),score:Um(e,m)}));const a=c=>o.find(({name:m})=>m===c);const s=t==="rolling_pinball_v1";const i=a(r&&!s?"mostly_pretra\
ined":"equal");const{name:l,weights:u}=s?a("convex_per_quantile"):Dm(o,i);return{method:l,weights:u,priorWeights:i.weights,
innerScores:Object.fromEntries(o.map(c=>[c.name,c.score]))}}function Dm(e,t){let r=t;let n=0;for(const o of e){const a=Lm*
t.score*qm(o.weights,t.weights)**2;const s=t.score-o.score-a;if(s>n){n=s;r=o}}return r}function qm(e,t){let r=0;e.forEach(
(n,o)=>{n.forEach((a,s)=>{r+=Math.abs(a-t[o][s])/2})});return r/e.length}function Um(e,t){let r=0;let n=0;for(let o=1;o<
e.folds.length;o++){const a=t({...e,folds:e.folds.slice(0,o)});const s=e.folds[o];r+=Et({...e,folds:[s]},a)*s.length;n+=
s.length}return n>0?r/n:0}var qn=[.1,.25,.5,.75,.9];var Er=21;var Nr=.001;var Mr=.999;var Xs=365;var xr=5e4;var Wm=150;function Un(e){return e==="\
1YE"?Wm:Xs}var Z=class extends Error{name="ForecastError";code;field;constructor(t,r,n=null,o){super(r,o);this.code=t;this.
field=n}};var Vm=1;function Wn(e,t){const{horizon:r,values:n,weightMode:o="auto",transform:a="auto",seed:s=Vm}=e;const i=Gm(e.cadence);
const l=Un(i.frequency);U(Number.isInteger(r)&&r>=1&&r<=l,"horizon",()=>{return`must be a whole number from 1 to ${l}, n\
ot ${r}`});U(Ks(n),"values",()=>"must be a list of numbers");U(Ks(e.timestamps),"timestamps",()=>"must be a list of mill\
iseconds since 1970");U(n.length<=xr,"values",()=>`may have at most ${xr} rows`);U(Number.isSafeInteger(s)&&s>=0,"seed",
()=>"must be a whole number, 0 or more");U(o==="auto"||o==="manual","weight_mode",()=>"must be auto or manual");U(["auto",
"none","log"].includes(a),"transform",()=>"must be auto, none or log");const u=e.weightingPolicy??"rolling_loss_selectio\
n_v2";U(wr.includes(u),"weighting_policy",()=>{return`must be ${wr.join(" or ")}`});const c=$m(e,t);return{cadence:i,horizon:r,
quantiles:Qm(e.quantiles??qn),models:c,weightMode:o,baseWeights:Hm(o,e.weights,c),weightingPolicy:u,transform:a,seed:s}}
function Gm(e){const{frequency:t,kind:r,hours:n}=e??{};U(Zr(String(t)),"frequency",()=>`must be one of ${Ie.join(", ")}`);
U(It.includes(r),"cadence",()=>`must have the kind ${It.join(" or ")}`);U(n===void 0||n==="regular"||n==="extended","cad\
ence",()=>{return"must have the hours regular or extended, or none"});return{frequency:t,kind:r,hours:n}}function Ks(e){
return typeof e==="object"&&e!==null&&Number.isInteger(e.length)}function $m(e,t){const r=zs(e);if(r===void 0){const n=Ln.
filter(o=>t.includes(o));return n.length>0?n:t}U(Array.isArray(r)&&r.length>0,"models",()=>"must name at least one model");
U(new Set(r).size===r.length,"models",()=>"must name each model once");for(const n of r){U(t.includes(n),e.models?"model\
s":"weights",()=>`cannot include '${n}'; available: ${t.join(", ")}`)}return fe.map(({id:n})=>n).filter(n=>r.includes(n))}
function zs({models:e,weightMode:t,weights:r}){const n=t==="manual"&&r?Object.keys(r):[];return e??(n.length>0?n:void 0)}
function Qm(e){U(Array.isArray(e)&&e.length>=1&&e.length<=Er,"quantiles",()=>{return`must be a list of 1 to ${Er} number\
s`});U(new Set(e).size===e.length,"quantiles",()=>"must name each quantile once");for(const t of e){const r=typeof t==="\
number"&&t>=Nr&&t<=Mr;U(r,"quantiles",()=>{return`must lie between ${Nr} and ${Mr}, not ${t}`})}return[...e].sort((t,r)=>t-
r)}function Hm(e,t,r){if(t!==void 0){U(e==="manual","weights",()=>"require weight_mode manual");for(const[s,i]of Object.
entries(t)){U(r.includes(s),"weights",()=>`cannot include '${s}', which is not among the models`);U(Number.isFinite(i)&&
i>=0,"weights",()=>`of '${s}' must be 0 or more`)}const a=Math.max(...Object.values(t));U(a>0,"weights",()=>"must not al\
l be 0");return new Map(r.map(s=>[s,(t[s]??0)/a]))}const n=new Map(fe.map(({id:a,defaultWeight:s})=>[a,s]));const o=r.map(
a=>[a,n.get(a)??0]);return new Map(o.some(([,a])=>a>0)?o:r.map(a=>[a,1]))}function U(e,t,r){if(!e)throw new Z("INVALID_R\
EQUEST",`${t} ${r()}.`,t)}async function Zs(e,t,r,{runner:n,signal:o,onProgress:a}){const{models:s,seed:i}=e;const l=new Set;const u=()=>a?.({completed_models:l.
size,total_models:s.length,current_model:s.find(d=>!l.has(d))??null});const c=[...t.folds,...t.validation===null?[]:[t.validation]];
const m={length:t.series.values.length,horizon:e.horizon};u();return Promise.all(s.map(async d=>{const f=Gn(d,r);const p=r.
filter((g,A)=>f[A]);const h={model:d,series:t.series,quantiles:p,seed:i};const b=c.map(({length:g,horizon:A})=>({length:g,
horizon:A}));const[y,S]=await Promise.all([b.length>0?n.run({...h,windows:b},o):[],n.run({...h,windows:[m]},o)]);l.add(d);
u();const F=y.map(g=>Js(g,f));return{id:d,supports:f,folds:F.slice(0,t.folds.length),validation:F[t.folds.length]??null,
final:Js(S[0],f)}}))}function K(e){return e!==null&&"rows"in e?e.rows:null}function Vn(e){return"failure"in e?e.failure:
null}function Gn(e,t){const r=fe.find(n=>n.id===e)?.quantileSupport??{type:"requested"};return t.map(n=>"type"in r||n>=r.
min&&n<=r.max)}function Js(e,t){const r=K(e);if(r===null)return e;if(!r.every(n=>n.every(Number.isFinite))){return{failure:{
code:"NOT_CONVERGED",message:"The forecast leaves the range of numbers."}}}if(t.every(Boolean))return e;return{rows:r.map(
n=>{let o=0;return Float64Array.from(t,a=>a?n[o++]:Number.NaN)})}}var $n={"1min":[60,1440],"5min":[12,288],"15min":[4,96,672],"30min":[48,336],"1h":[24,168],"4h":[6,42],"1D":[7,365],"1W-\
MON":[52],"1MS":[12],"1ME":[12],"1QE":[4],"1YE":[]};var Ym={"1min":{regular:[390],extended:[960]},"5min":{regular:[78],extended:[
192]},"15min":{regular:[26],extended:[64]},"30min":{regular:[13],extended:[32]},"1h":{regular:[7],extended:[16]},"4h":{regular:[],
extended:[]},"1D":{regular:[5,252],extended:[5,252]}};var Bm={"1min":[60,1440],"5min":[12,288],"15min":[4,96,480],"30min":[
48,240],"1h":[24,120],"4h":[31],"1D":[6,313]};function Qn(e){if(typeof e==="string")return $n[e];const{frequency:t,kind:r,
hours:n}=e;if(r==="currency")return Bm[t]??$n[t];const o=r==="exchange"&&(n!==void 0||t==="1D")?Ym[t]:void 0;return o?.[n??
"regular"]??$n[t]}var jm={"1MS":12,"1ME":12,"1QE":4};function Xm({frequency:e}){return jm[e]??1}function Hn(e,t){return e>
1?e:Xm(t)}var Km=[0,.3,.6,.8,.9,1];function ti(e,t,r){const n=new Map;for(const{from:s,to:i}of r){for(let l=s;l<=i;l++){if(l%t!==0&&
!n.has(l))n.set(l,ei(e,l))}}let o=s=>1;let a=Number.POSITIVE_INFINITY;for(const s of Km){const i=m=>1+s*s-2*s*we(2*Math.
PI*m/e.length);let l=0;let u=0;for(const[m,d]of n){l+=d/i(m);u+=N(i(m))}const c=n.size*N(Math.max(l,Number.MIN_VALUE))+u;
if(c<a){a=c;o=i}}return{flatPower:s=>ei(e,s)/o(s),mean({from:s,to:i}){let l=0;let u=0;for(let c=s;c<=i;c++){if(c%t===0)continue;
l+=n.get(c)/o(c);u++}return u===0?0:l/u}}}function ei(e,t){const r=2*we(2*Math.PI*t/e.length);let n=0;let o=0;for(let a=0;a<
e.length;a++){const s=e[a]+r*o-n;n=o;o=s}return Math.max(0,o*o+n*n-r*o*n)}function ni(e,t,r){return r?zm(e,2*t):v(1+e/t,-t)}function zm(e,t){const r=Math.sqrt(e)*(1-1/(4*t))/Math.sqrt(1+e/(2*t));
return Math.min(1,2*Jm(r))}function Jm(e){const t=1/(1+.33267*e);const r=C(-e*e/2)/Math.sqrt(2*Math.PI);return r*t*(.4361836+
t*(-.1201676+t*.937298))}function oi(e,t){const r=e.length;if(r===0)return 0;const n=e.reduce((a,s)=>a-N(Math.max(s,1e-30)),
0);const o=1+2*t/r;return-Zm(n/o,Math.max(1,r/o))/Math.LN10}function Zm(e,t){const r=Math.floor(t);const n=t-r;return(1-
n)*ri(e,r)+(n>0?n*ri(e,r+1):0)}function ri(e,t){let r=1;let n=1;for(let o=1;o<t;o++){r*=e/o;n+=r}return N(n)-e}var ed=6;var td=6e3;var rd=6;var nd=40;function ai(e,t,r){const n=Math.min(Math.floor(e.length/t),Math.max(2,Math.floor(
td/t)));if(n<2)return 0;const o=e.slice(e.length-n*t);const a=o.reduce((d,f)=>d+f,0)/o.length;const s=o.map(d=>d-a);const i=s.
length/2;const l=od(t,r).map(d=>n*d).map(d=>({center:d,around:ad(d,n,i)})).filter(({around:d})=>Nt(d,n)>0);const u=ti(s,
n,l.map(({around:d})=>d));const c=l.map(({center:d,around:f})=>{const p=u.flatPower(d)/Math.max(u.mean(f),Number.MIN_VALUE);
return ni(p,Nt(f,n),d===i)});let m=0;for(const[d,f]of l.entries()){for(const p of l.slice(0,d))m+=sd(f.around,p.around,n)}
return oi(c,m)}function od(e,t){const r=t>1&&e%t===0?e/t:Number.POSITIVE_INFINITY;const n=[];for(let o=1;o<=Math.floor(e/
2)&&n.length<ed;o++){if(o%r!==0)n.push(o)}return n}function ad(e,t,r){const n=Math.min(Math.max(t,rd),nd);return{from:Math.
max(1,e-n),to:Math.min(e+n,Math.ceil(r)-1)}}function Nt({from:e,to:t},r){if(t<e)return 0;return t-e+1-(Math.floor(t/r)-Math.
floor((e-1)/r))}function sd(e,t,r){const n=Nt({from:Math.max(e.from,t.from),to:Math.min(e.to,t.to)},r);return n/(Nt(e,r)*
Nt(t,r)+n/2)}var si=2.2;function Yn(e,t){const r=li(e,t);for(;;){const n=r.next();if(n.done)return n.value}}function*li(e,t){const r=id(
t)?t:Qn(t);const n=e.reduce((l,u)=>Math.abs(u)>l?Math.abs(u):l,0);if(!(n>0&&n<Number.POSITIVE_INFINITY))return 1;const o=me(
e.map(l=>l/n));const a=[ii(o)];yield;if(o.every(l=>l>0))a.push(ii(o.map(N)));let s=1;let i=si;for(const l of[...r].sort(
(u,c)=>u-c)){if(l<2)continue;const u=[];for(const d of a){yield;u.push(ai(d,l,s))}const c=Math.max(...u);const m=l%s===0;
if(c<si||!m&&c<=i)continue;s=l;i=c}return s}function id(e){return Array.isArray(e)}var ld=1e-11;function ii(e){const t=e.
length;if(t<2)return new Float64Array(t);const r=bt(e);const n=e.map((l,u)=>l-r[u]);const o=n.map((l,u)=>l-n[u>0?u-1:t-1]);
const a=o.slice(1).sort();const s=Ee(a,.5);const i=2*Math.max(s-Ee(a,.05),Ee(a,.95)-s);if(!(i>ld))return o.fill(0);return o.
map(l=>Math.min(Math.max((l-s)/i,-1),1))}var pe={low:.1,median:.5,high:.9};var ud=.5;var cd=3;var md=130;var Bn={lower:1,upper:1,rows:0};function mi(e){if(e.length===
0)return Bn;return{lower:ui(e.map(({actual:t,low:r,median:n})=>(n-t)/(n-r))),upper:ui(e.map(({actual:t,high:r,median:n})=>(t-
n)/(r-n))),rows:e.length}}function ui(e){const t=e.filter(Number.isFinite).sort((a,s)=>a-s);if(t.length===0)return 1;const r=Math.
min(t.length,Math.ceil(pe.high*(t.length+1)));const n=ci(t[r-1]);const o=t.length**2/(t.length**2+md**2);return ci(v(n,o))}
function ci(e){return Math.min(cd,Math.max(ud,e))}function _r(e,t,r,n,o){const a=e.find(s=>s!==null)?.length??0;return Array.from({length:a},(s,i)=>{const l=jn(e,t,n,i);const u=l[r.
indexOf(pe.median)];const c=l.map((m,d)=>{const f=r[d]<pe.median?o.lower:o.upper;return dd(n.fromSpace(u+f*(m-u)))});return c.
sort()})}function jn(e,t,r,n){return Float64Array.from(t,(o,a)=>{let s=0;for(let i=0;i<o.length;i++){const l=o[i];if(l!==
0)s+=l*r.toSpace(e[i][n][a])}return s})}function dd(e){return Math.max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,e))+0}
var fd={toSpace:e=>e,fromSpace:e=>e};var pd=.5;var hd=700;function fi(e,t,r,n){const o=t.every(s=>!(s<=0));const a=e==="\
log"||e==="auto"&&yr(di(r),n)>0;return o&&a?{name:"transformed",atOrigin:s=>bd(di(t.subarray(0,s)))}:{name:"target",atOrigin:()=>fd}}
function bd(e){const t=pd*e.reduce((r,n)=>Math.min(r,n),Number.POSITIVE_INFINITY);return{toSpace:r=>N(Math.max(r,t)),fromSpace:r=>C(
Math.min(r,hd))}}function di(e){return e.filter(t=>!Number.isNaN(t))}var hi=30;var yd=5;var pi=8;var gd=3;function Xn(e){return Math.min(hi,Math.max(e,gd))}function Kn(e,t,r){const n=r>1?Math.
max(pi,Math.min(2*r+2,Math.floor(e/2))):pi;const o=e-n;const a=Math.max(0,Math.min(Xn(t),Math.floor(o/3)));return{minTraining:n,
calibrationHorizon:a,folds:a===0?[]:Ad(n,e-2*a),audit:a===0?null:e-a,holdout:Math.max(0,Math.min(t,hi,o))}}function Ad(e,t){
const r=Math.min(yd,t-e+1);if(r===1)return[t];return Array.from({length:r},(n,o)=>e+Math.round(o*(t-e)/(r-1)))}var bi=3;var Sd=2;var Fd=12;function zn(e){if(e>=bi)return;throw new Z("INSUFFICIENT_HISTORY",`A forecast needs at least\
 ${bi} rows; there are ${e}.`)}function yi(e,t,r){const{cadence:n,transform:o}=e;const{dense:a,rows:s,selectionValues:i}=gi(
e,t,r);const l=i.length>1?Yn(i,n):1;return{series:{...a,cadence:n,season:Hn(l,n)},season:l,rows:s,spaces:fi(o,a.values,i,
l),...Ai(e,s,l)}}function gi({cadence:e,horizon:t},r,n){zn(n.length);const o=st(e,r,n);const a=wd(o.values);const s=a.periodsThrough(
Math.max(1,a.count-Xn(t)));return{dense:o,rows:a,selectionValues:o.values.subarray(0,s)}}function Ai({horizon:e,weightMode:t},r,n){
const o=Kn(r.count,e,n);const a=(d,f)=>({training:d,length:r.periodsThrough(d),horizon:f,outcomes:r.outcomes(d,f)});const s=t===
"auto";const i=s?o.folds.map(d=>a(d,o.calibrationHorizon)):[];const l=i.reduce((d,{outcomes:f})=>d+f.length,0);const u=i.
filter(({outcomes:d})=>d.length>0).length;const c=u>=Sd&&l>=Fd;const m=o.holdout>0?a(r.count-o.holdout,o.holdout):null;return{
windows:o,folds:i,canChooseWeights:c,validation:c&&o.audit!==null?a(o.audit,o.calibrationHorizon):m}}function wd(e){const t=[];
e.forEach((n,o)=>{if(!Number.isNaN(n))t.push(o)});const r=n=>n===0?0:t[n-1]+1;return{count:t.length,periodsThrough:r,outcomes:(n,o)=>{
const a=r(n);return t.slice(n,n+o).map(s=>({step:s-a,actual:e[s]})).filter(({step:s})=>s<o)}}}function Si({quantiles:e,models:t}){const r=e.find(o=>t.every(a=>!Gn(a,[o])[0]));if(r===void 0)return;const n=`None of t\
he models ${t.join(", ")} gives the quantile ${r}.`;throw new Z("UNSUPPORTED_QUANTILE",n,"quantiles")}function Fi(e,t,r){
try{return it(e,t,r)}catch(n){if(!(n instanceof RangeError))throw n;const o=`horizon reaches beyond the supported dates:\
 ${n.message} Request fewer periods.`;throw new Z("INVALID_REQUEST",o,"horizon")}}function Mt(e){return String(e)}function Ze(e,t,r,n){return Object.fromEntries(n.map(o=>{const a=r.indexOf(o);const s=t.
flatMap(({id:i,supports:l},u)=>l[a]?[[i,e[a][u]]]:[]);return[Mt(o),Object.fromEntries(s)]}))}var Nd=10;function wi(e,t,r,n){const o=new Map;const a=(p,h,b)=>p.filter(y=>b(y)||!o.set(y.id,h));const s=a(n,"failed",({
final:p})=>K(p)!==null);const i=(p,h,b,y)=>Md(e,t,r,b,o,p,h,y);if(e.weightMode==="manual")return i("manual",null,s,false);
const l=t.canChooseWeights?s.filter(({folds:p})=>p.every(h=>K(h)!==null)):[];const u=l.length>0;const c=u?a(s,"failed_in\
_calibration",p=>l.includes(p)):s;const m=u?Je(Rr(t,r,c)):null;const d=m===null?Number.POSITIVE_INFINITY:Nd*_d(m);const f=a(
c,"exploded_in_calibration",p=>{return m===null||d===0||m[c.indexOf(p)]<=d});if(f.length===1){const p=e.models.length===
1?"one_model_requested":"one_model_survived";return i("single_model",p,f,u)}if(!t.canChooseWeights)return i("fallback","\
insufficient_history",f,false);if(!u)return i("fallback","calibration_failed",f,false);return i("optimized",null,f,true)}
function Md(e,t,r,n,o,a,s,i){const l=r.map((p,h)=>n.map(b=>b.supports[h]));const u=se(l);const c=p=>i?mi(xd(t,r,n,p)):Bn;
const m={status:a,reason:s,members:n,leftOut:o,equal:u,equalCalibration:c(u)};if(a==="optimized"){const p=Rr(t,r,n);const{
method:h,weights:b,...y}=js(p,e.weightingPolicy);return{...m,...y,selectedMethod:h,weights:b,calibration:c(b)}}const d=wt(
l,n.map(({id:p})=>e.baseWeights.get(p))).map((p,h)=>p.some(b=>b>0)?p:u[h]);const f={manual:"manual",single_model:"single\
_model",fallback:"default_weights"}[a];return{...m,weights:d,priorWeights:d,selectedMethod:f,innerScores:{},calibration:c(
d)}}function Rr(e,t,r){const n=e.folds.map((o,a)=>{const{toSpace:s}=e.spaces.atOrigin(o.length);return o.outcomes.map(({
step:i,actual:l})=>({actual:s(l),values:r.map(({folds:u})=>K(u[a]??null)[i]?.map(s))}))});return{levels:t,supports:t.map(
(o,a)=>r.map(s=>s.supports[a])),folds:n.filter(o=>o.length>0),isPretrained:r.map(({id:o})=>fe.find(a=>a.id===o)?.isPretrained??
false)}}function xd(e,t,r,n){const[o,a,s]=[pe.low,pe.median,pe.high].map(i=>t.indexOf(i));return e.folds.flatMap((i,l)=>{
const u=r.map(({folds:m})=>K(m[l]??null));const c=e.spaces.atOrigin(i.length);return i.outcomes.map(({step:m,actual:d})=>{
const f=jn(u,n,c,m);return{actual:c.toSpace(d),low:f[o],median:f[a],high:f[s]}})})}function _d(e){return e.toSorted()[e.
length-1>>1]}function Tr(e,t,r,n){const o=n.members.map(({validation:u})=>K(u));if(e.validation===null||o.every(u=>u===null))return null;
const a=Rd(n.weights,n.members.map(({supports:u},c)=>u.map(m=>m&&o[c]!==null)));const s=_r(o,a,t,e.spaces.atOrigin(e.validation.
length),n.calibration);const i=r.map(u=>t.indexOf(u));const l=e.validation.outcomes.map(({step:u,actual:c})=>({actual:c,
quantiles:i.map(m=>s[u][m])}));return{metrics:Ar(l,r),weights:a}}function Ei(e,t,r,n,o){const a={policy:"chronological_h\
oldout_v1",method:"chronological_holdout",requested_models:n,effective_weights_by_quantile:{},metrics:null};if(e.validation===
null)return{...a,status:"insufficient_history"};const s=Jn(e,e.validation);if(e.validation.outcomes.length===0)return{...a,
...s,status:"no_matching_outcomes"};const i=Tr(e,t,r,o);if(i===null)return{...a,...s,status:"failed"};return{...a,...s,status:"\
completed",effective_weights_by_quantile:Ze(i.weights,o.members,t,r),metrics:i.metrics}}function Jn({series:e,rows:t},{training:r,
horizon:n}){const o=a=>new Date(e.times[t.periodsThrough(a)-1]).toISOString();return{training_rows:r,holdout_rows:n,training_end_at:o(
r),validation_start_at:o(r+1),validation_end_at:o(r+n)}}function Rd(e,t){return e.map((r,n)=>{const o=r.map((l,u)=>t[u]?.[n]?
l:0);const a=o.reduce((l,u)=>l+u,0);if(a>0)return o.map(l=>l/a);const s=r.map((l,u)=>t[u]?.[n]?1:0);const i=s.reduce((l,u)=>l+
u,0);return i>0?s.map(l=>l/i):r})}function Ni(e,t,r,n){const o=n.map(a=>({key:Mt(a),q:r.indexOf(a)}));return e.map((a,s)=>({timestamp:new Date(t[s]).toISOString(),
quantiles:Object.fromEntries(o.flatMap(({key:i,q:l})=>Number.isNaN(a[l])?[]:[[i,a[l]]]))}))}function Mi(e,{leftOut:t},r){
const n=K(e.final);const o=t.get(e.id)??null;const a=[e.final,...e.folds].map(Vn).find(i=>i!==null)??null;const s=n===null?
"failed":o===null?"completed":"left_out";return{model:e.id,status:s,reason:o,error:a,predictions:n===null?[]:r(n)}}function xi(e,t,r,n,o){
const{quantiles:a,horizon:s}=e;const{calibrationHorizon:i}=t.windows;const l=b=>Ze(b,o.members,r,a);const u=l(o.weights);
const{members:c,equal:m,equalCalibration:d}=o;const f={members:c,weights:m,calibration:d};const p=(t.validation?.outcomes.
length??0)>0;const h=p?Tr(t,r,a,o):null;return{mode:"auto",policy:e.weightingPolicy,status:o.status,reason:o.reason,pooling_space:t.
spaces.name,calibration_rows:t.folds.reduce((b,{outcomes:y})=>b+y.length,0),calibration_horizon:i,extrapolated_from_step:o.
calibration.rows>0&&s>i?i+1:null,weights_by_quantile:u,effective_weights_by_quantile:u,prior_weights:l(o.priorWeights),folds:Td(
t,r,n),selected_method:o.selectedMethod,inner_scores:o.innerScores,calibration:o.calibration,audit_metrics:h?.metrics??Sr,
baseline_audit_metrics:(h&&Tr(t,r,a,f)?.metrics)??Sr}}function Td(e,t,r){return e.folds.map((n,o)=>{const{training_rows:a,
training_end_at:s,validation_start_at:i,validation_end_at:l}=Jn(e,n);const u=c=>{if(n.outcomes.length===0||K(c.folds[o]??
null)===null)return null;const m=Rr({...e,folds:[n]},t,[{...c,folds:c.folds.slice(o,o+1)}]);return Je(m)[0]};return{training_rows:a,
training_end_at:s,start_at:i,end_at:l,rows:n.outcomes.length,losses:Object.fromEntries(r.map(c=>[c.id,u(c)]))}})}function _i(e){
const t=e.map(({id:r,final:n})=>`${r}: ${Vn(n)?.message??"left out"}`);return`Every model failed. ${t.join(" ")}`}var Ri="3";async function Ti(e,t){t.signal?.throwIfAborted();const r=Wn(e,t.runner.models);const{quantiles:n,models:o,horizon:a}=r;
Si(r);const s=yi(r,e.timestamps,e.values);const i=Fi(r.cadence,s.series.times.at(-1),a);const l=[...new Set([...n,...Object.
values(pe)])].sort((h,b)=>h-b);const u=await Zs(r,s,l,t);const c=wi(r,s,l,u);if(c.members.length===0)throw new Z("ALL_MO\
DELS_FAILED",_i(u));const m=h=>Ni(h,i,l,n);const d=c.members.map(({final:h})=>K(h));const f=_r(d,c.weights,l,s.spaces.atOrigin(
s.series.values.length),c.calibration);const p=Ze(c.weights,c.members,l,n);return{predictions:m(f),weight_mode:r.weightMode,
...r.weightMode==="auto"?{weighting:xi(r,s,l,u,c)}:{},historical_validation:Ei(s,l,n,o,c),effective_weights_by_quantile:p,
members:u.map(h=>Mi(h,c,m)),season:s.season}}var L=class extends Error{name="CheckpointError";code;constructor(t,r){super(r);this.code=t}};var Ii=100;function B(e){return JSON.
stringify(e.length>Ii?`${e.slice(0,Ii)}…`:e)}function Ir(e,t,r){let n;let o;try{n=new TextDecoder("utf-8",{fatal:true}).decode(e);o=JSON.parse(n)}catch{throw new L(r,
`${t} is not JSON in UTF-8.`)}if(!Zn(o))throw new L(r,`${t} is not a JSON object.`);return{object:o,text:n}}function Zn(e){
return typeof e==="object"&&e!==null&&!Array.isArray(e)}function Oi(e){const t=[];let r=0;for(let n=0;n<e.length;n++){const o=e[n];
if(o==="{"||o==="[")r++;else if(o==="}"||o==="]")r--;else if(o==='"'){const a=Id(e,n);if(r===1&&Od(e,a))t.push(JSON.parse(
e.slice(n,a)));n=a-1}}return t}function Id(e,t){let r=t+1;while(e[r]!=='"')r+=e[r]==="\\"?2:1;return r+1}function Od(e,t){
let r=t;while(e[r]===" "||e[r]==="\n"||e[r]==="\r"||e[r]==="	")r++;return e[r]===":"}var Or=3;var V=9;var ee={bytes:65536,patch:1024,width:16384,hidden:65536,heads:256,headDim:1024,layers:256};function Pi(e){
if(e.length>ee.bytes)throw new L("TOO_LARGE",`config.json is longer than ${ee.bytes} bytes.`);const t=new to(Ir(e,"confi\
g.json","CONFIG_INVALID").object);Pd(t);const r=t.integer("d_model",1,ee.width);const n=t.integer("num_heads",1,ee.heads);
eo("d_model",r,"num_heads",n);const o=t.integer("num_groups",1,ee.heads,n);eo("num_heads",n,"num_groups",o);const a=t.integer(
"qk_dim",1,ee.headDim,r/n);const s=t.boolean("norm_include_weight",false);const i=vd(t);if(i.includes(false)&&a%4!==0){throw new L(
"CONFIG_INVALID",`The field qk_dim of config.json is ${a}, not a multiple of 4.`)}const l=t.integer("patch_size",1,ee.patch);
const u=t.boolean("almanac_extra_statistics",false);return{patchSize:l,tokenWidth:2*l+(u?Or:0),modelDim:r,feedForwardDim:t.
integer("d_ff",1,ee.hidden,Math.ceil(Math.floor(8*r/3)/8)*8),heads:n,groups:o,queryDim:a,valueDim:t.integer("v_dim",1,ee.
headDim,a),isVariateLayer:i,normEpsilon:t.positive("norm_eps",1,5e-5),hasXpos:t.boolean("use_xpos",false),hasPerDimScale:t.
boolean("per_dim_scale",false),hasQueryNorm:t.boolean("qk_norm",true),hasQueryNormWeight:t.boolean("qk_norm_include_weig\
ht",s),hasNormWeight:s,hasAttentionBias:t.boolean("attn_bias",false),hasFeedForwardBias:t.boolean("mlp_bias",false),hasExtraStatistics:u,
hasAnchoredOutput:t.boolean("almanac_anchored_output",false)}}function Pd(e){if(e.integer("num_output_patches",1,ee.patch,
1)!==1){throw new L("CONFIG_UNSUPPORTED","The field num_output_patches of config.json must be 1.")}if(!e.boolean("pre_no\
rm",true)){throw new L("CONFIG_UNSUPPORTED","The field pre_norm of config.json must be true.")}}function vd(e){const t=e.
integer("num_layers",1,ee.layers);const r=e.integer("layer_group_size",1,ee.layers);eo("num_layers",t,"layer_group_size",
r);const n=e.integer("num_variate_layers_per_group",0,r);const o=e.boolean("variate_layer_first");return Array.from({length:t},
(a,s)=>{const i=s%r;return o?i<n:i>=r-n})}function eo(e,t,r,n){if(t%n===0)return;throw new L("CONFIG_INVALID",`${e} (${t}\
) of config.json is not a multiple of ${r} (${n}).`)}var to=class{#t;constructor(t){this.#t=t}integer(t,r,n,o){const a=this.#r(
t)??o;if(typeof a==="number"&&Number.isInteger(a)&&a>=r&&a<=n)return a;throw this.#e(t,`a whole number from ${r} to ${n}`)}positive(t,r,n){
const o=this.#r(t)??n;if(typeof o==="number"&&o>0&&o<=r)return o;throw this.#e(t,`a number above 0 and up to ${r}`)}boolean(t,r){
const n=this.#r(t)??r;if(typeof n==="boolean")return n;throw this.#e(t,"true or false")}#r(t){return Object.hasOwn(this.#t,
t)?this.#t[t]:void 0}#e(t,r){const n=(this.#r(t)??null)===null?"is missing":"is wrong";return new L("CONFIG_INVALID",`Th\
e field ${t} of config.json ${n}: it must be ${r}.`)}};var ro={F32:4,F16:2,BF16:2};var Pr=8;var vi=1048576;var kd=8;function Li(e){if(e.length<Pr)throw et("the file ends befor\
e the length of its header.");const t=new DataView(e.buffer,e.byteOffset,e.byteLength);const r=t.getBigUint64(0,true);if(r>
BigInt(Math.min(vi,e.length-Pr))){throw et(`a header of ${r} bytes does not fit: the file has ${e.length}, a header at m\
ost ${vi}.`)}const n=Pr+Number(r);const o=e.subarray(Pr,n);const{object:a,text:s}=Ir(o,"The header of model.safetensors",
"HEADER_INVALID");Cd(Oi(s));const i=Object.entries(a).filter(([l])=>l!=="__metadata__").map(([l,u])=>Ld(l,u));Dd(i,e.length-
n);return{tensors:i,dataStart:n}}function Cd(e){const t=new Set;for(const r of e){if(t.has(r))throw new L("TENSOR_DUPLIC\
ATE",`The tensor ${B(r)} occurs twice.`);t.add(r)}}function Ld(e,t){if(!Zn(t))throw et(`the entry of the tensor ${B(e)} \
is not an object.`);const{dtype:r,shape:n,data_offsets:o}=t;if(typeof r!=="string")throw et(`the tensor ${B(e)} has no d\
type.`);if(!qd(r)){throw new L("DTYPE_UNSUPPORTED",`The tensor ${B(e)} has the dtype ${B(r)}; F32, F16 and BF16 can be r\
ead.`)}if(!ki(n)||n.length>kd)throw et(`the shape of the tensor ${B(e)} is wrong.`);if(!ki(o)||o.length!==2)throw et(`th\
e offsets of the tensor ${B(e)} are wrong.`);return{name:e,dtype:r,shape:n,begin:o[0],end:o[1]}}function Dd(e,t){let r=0;
for(const{name:n,dtype:o,shape:a,begin:s,end:i}of e.toSorted((l,u)=>l.begin-u.begin||l.end-u.end)){const l=c=>new L("OFF\
SETS_INVALID",`The offsets ${s} to ${i} of the tensor ${B(n)} ${c}.`);if(s>i||i>t)throw l(`do not lie in the ${t} bytes \
of data`);const u=a.reduce((c,m)=>c*m,ro[o]);if(u!==i-s)throw l(`do not hold ${o} values of the shape [${a}]`);if(s<r)throw l(
"overlap another tensor");if(s>r)throw l(`leave a hole after byte ${r}`);r=i}if(r===t)return;throw new L("OFFSETS_INVALI\
D",`No tensor uses the last ${t-r} bytes of model.safetensors.`)}function qd(e){return Object.hasOwn(ro,e)}function ki(e){
return Array.isArray(e)&&e.every(t=>Number.isSafeInteger(t)&&t>=0)}function et(e){return new L("HEADER_INVALID",`model.s\
afetensors cannot be read: ${e}`)}function Di(e,t,r){const n=ro[e.dtype];const o=t.subarray(r+e.begin,r+e.end);const a=o.
byteOffset%n===0?o:o.slice();const s=a.length/n;const i=e.dtype==="F32"?new Float32Array(a.buffer,a.byteOffset,s):Ud(new Uint16Array(
a.buffer,a.byteOffset,s),e.dtype);Vd(i,e.name);return i}function Ud(e,t){const r=new Uint32Array(e.length);if(t==="BF16"){
for(let o=0;o<r.length;o++)r[o]=e[o]<<16;return new Float32Array(r.buffer)}for(let o=0;o<r.length;o++){const a=e[o];r[o]=
(a&32768)<<16|(a&32767)<<13}const n=new Float32Array(r.buffer);for(let o=0;o<n.length;o++)n[o]=Wd(n[o]*2**112);return n}
var Ci=65536;function Wd(e){const t=Math.abs(e);if(t<Ci)return e;return t===Ci?e*Number.POSITIVE_INFINITY:Number.NaN}function Vd(e,t){
let r=0;for(let o=0;o<e.length;o++)r+=0*e[o];if(r===0)return;const n=e.findIndex(o=>!Number.isFinite(o));throw new L("TE\
NSOR_NOT_FINITE",`Value ${n} of the tensor ${B(t)} is ${e[n]}.`)}function no(e){const t=Pi(e.config);const{tensors:r,dataStart:n}=Li(e.weights);Gd(t,r);const o=new Map(r.map(a=>[a.name,
Di(a,e.weights,n)]));return{config:t,tensors:o}}function Gd(e,t){const r=$d(e);const n=new Map(t.map(a=>[a.name,a]));for(const[
a,s]of r){const i=n.get(a);if(i===void 0)throw new L("TENSOR_MISSING",`The tensor ${B(a)} is missing.`);if(i.shape.length!==
s.length||s.some((l,u)=>l!==i.shape[u])){throw new L("TENSOR_MISSHAPED",`The tensor ${B(a)} has the shape [${i.shape}]; \
config.json needs [${s}].`)}}const o=t.find(({name:a})=>!r.has(a));if(o===void 0)return;throw new L("TENSOR_SURPLUS",`co\
nfig.json does not use the tensor ${B(o.name)}.`)}function $d(e){const{patchSize:t,modelDim:r,feedForwardDim:n,heads:o,groups:a,
queryDim:s,valueDim:i}=e;const l=new Map;const u=(m,d,f,p)=>{l.set(`${m}.weight`,[d,f]);if(p)l.set(`${m}.bias`,[d])};const c=(m,d,f)=>{
u(`${m}.linear1`,4*r,d,true);u(`${m}.linear2`,f,4*r,true);u(`${m}.skip_proj`,f,d,true)};c("patch_proj",e.tokenWidth,r);e.
isVariateLayer.forEach((m,d)=>{const f=`transformer.layers.${d}`;const p=o*s+a*(s+i);u(`${f}.attn.in_proj`,p,r,e.hasAttentionBias);
u(`${f}.attn.out_proj`,r,o*i,e.hasAttentionBias);if(e.hasPerDimScale)l.set(`${f}.attn._pds.per_dim_scale`,[s]);if(e.hasQueryNorm&&
e.hasQueryNormWeight){l.set(`${f}.attn.q_norm.weight`,[s]);l.set(`${f}.attn.k_norm.weight`,[s])}u(`${f}.ffn.fc1`,2*n,r,e.
hasFeedForwardBias);u(`${f}.ffn.fc2`,r,n,e.hasFeedForwardBias);if(e.hasNormWeight){l.set(`${f}.norm1.weight`,[r]);l.set(
`${f}.norm2.weight`,[r])}l.set(`${f}.attn_tau`,[]);l.set(`${f}.mlp_tau`,[])});if(e.hasNormWeight)l.set("transformer.out_\
norm.weight",[r]);c("output_head.param_projection.proj",r,V*t);return l}var k={tokens:"tokens",queryCos:"query_cos",querySin:"query_sin",keyCos:"key_cos",keySin:"key_sin",timeMask:"time_mask",
keptMask:"kept_mask",variateMask:"variate_mask"};var vr="knots";function tt(e){return Math.max(1,Math.floor(e.queryDim/4))}
var Qd=Number.MAX_SAFE_INTEGER;function qi(e){const t=(i,l)=>e.node("Shape",[i],{attributes:{start:{int:l},end:{int:l+1}}});
const r=t(k.tokens,1);const n=t(k.keptMask,2);const o=e.node("Neg",[n]);const a=e.ints(Qd);const s=(i,l)=>e.node("Slice",
[i,o,a,e.ints(l)]);return{all:{count:r,timeMask:k.timeMask,queryCos:k.queryCos,querySin:k.querySin,variateMask:k.variateMask},
kept:{count:n,timeMask:k.keptMask,queryCos:s(k.queryCos,0),querySin:s(k.querySin,0),variateMask:s(k.variateMask,0)},keep:(i,l)=>{
const u=e.node("Reshape",[i,oo(e,-1,r,l)]);return e.node("Reshape",[s(u,1),e.ints(-1,l)])}}}function oo(e,...t){const r=t.
map(n=>typeof n==="number"?e.ints(n):n);return e.node("Concat",r,{attributes:{axis:{int:0}}})}function Ui(e){const t=e.reduce((s,i)=>s+i.kept,0);const r=e.reduce((s,i)=>s+i.positions.length,0);let n=0;let o=r-t;const a=e.
map(s=>{const i={call:s,firstEarly:n,firstKept:o};n+=s.positions.length-s.kept;o+=s.kept;return i});return{calls:a,count:r,
kept:t}}function Me({call:e,firstEarly:t,firstKept:r},n){const o=e.positions.length-e.kept;return n<o?t+n:r+n-o}function Wi(e){
const{contextPatches:t,blockPatches:r,done:n}=e;const o=n/r;const a=t+n+kr(e,o)-1;return Array.from({length:a},(s,i)=>{const l=Math.
floor((i-t)/r);const u=i<t?0:Math.min(l+1,o);const c=u===0?0:t+(u-1)*r;const m=t+u*r+kr(e,u);return{center:Math.floor(m/
2),groupIndex:i-c}})}function kr({forecastPatches:e,blockPatches:t},r){return Math.min(t,e-r*t)}var Vi=-1e30;var Hd=-1;function Gi({calls:e,count:t},r){const n=new Float32Array(r*t*t).fill(Vi);for(let o=0;o<r;o++){for(const a of e){
const s=a.call.isEmptyPatch[o];for(let i=0;i<a.call.positions.length;i++){const l=(o*t+Me(a,i))*t;for(let u=0;u<=i;u++){
if((s[i]??0)===(s[u]??0))n[l+Me(a,u)]=0}}}}return n}function $i(e,{count:t,kept:r},n){const o=new Float32Array(n*r*t);for(let a=0;a<
n;a++){const s=(a+1)*t*t;o.set(e.subarray(s-r*t,s),a*r*t)}return o}function Qi({calls:e,count:t},r){const n=new Float32Array(
t*r*r);if(r===1)return n;for(const o of e){const{isEmptyPatch:a,seriesIds:s,positions:i}=o.call;i.forEach(({groupIndex:l},u)=>{
const c=s.map((d,f)=>a[f]?.[l]===1?Hd:d);const m=Me(o,u)*r*r;c.forEach((d,f)=>{c.forEach((p,h)=>{n[m+f*r+h]=d===p?0:Vi})})})}
return n}var Yd=1e4;var Bd=256;function Hi(e,t){const r=tt(e);const n=2*r;const o=()=>new Float32Array(t.count*r);const a={queryCos:o(),
querySin:o(),keyCos:o(),keySin:o()};for(const s of t.calls){s.call.positions.forEach(({center:i},l)=>{const u=Me(s,l)*r;
for(let c=0;c<r;c++){const m=l*v(Yd,-2*c/n);const d=(2*c+.4*n)/(1.4*n);const f=e.hasXpos?v(d,(l-i)/Bd):1;a.queryCos[u+c]=
we(m)*f;a.querySin[u+c]=ht(m)*f;a.keyCos[u+c]=we(m)/f;a.keySin[u+c]=ht(m)/f}})}return a}var Cr=class{config;#t;constructor(t,r){this.config=t;this.#t=r}async run(t){const r=Ui(t);const{count:n,kept:o}=r;const a=t[0]?.
tokens.length??0;const s=Hi(this.config,r);const i=Gi(r,a);const l=tt(this.config);const u=await this.#t.run({[k.tokens]:{
data:this.#r(r,a),shape:[a,n,this.config.tokenWidth]},[k.queryCos]:{data:s.queryCos,shape:[n,l]},[k.querySin]:{data:s.querySin,
shape:[n,l]},[k.keyCos]:{data:s.keyCos,shape:[n,l]},[k.keySin]:{data:s.keySin,shape:[n,l]},[k.timeMask]:{data:i,shape:[a,
1,n,n]},[k.keptMask]:{data:$i(i,r,a),shape:[a,1,o,n]},[k.variateMask]:{data:Qi(r,a),shape:[n,1,a,a]}});const c=V*this.config.
patchSize;const m=u[vr]?.data;if(!(m instanceof Float32Array&&m.length===a*o*c)){throw new Error("The session returned n\
o output of the graph's shape.")}return r.calls.map(({call:d,firstKept:f})=>d.tokens.map((p,h)=>Array.from({length:d.kept},
(b,y)=>{const S=(h*o+f-(n-o)+y)*c;return m.subarray(S,S+c)})))}#r({calls:t,count:r},n){const o=this.config.tokenWidth;const a=new Float32Array(
n*r*o);for(const s of t){s.call.tokens.forEach((i,l)=>{for(let u=0;u<s.call.positions.length;u++){const c=i.subarray(u*o,
(u+1)*o);a.set(c,(l*r+Me(s,u))*o)}})}return a}};var Yi=4096;function Bi(e,t){const r=Math.min(e.length,Yi);const n=e.subarray(e.length-(r<t?r:r-r%t));return Xi(n,Math.max(
n.length,t))}function ji(e,t){const r=e.subarray(-Yi);return Xi(r,Math.max(Math.ceil(r.length/t),1)*t)}function Xi(e,t){
const r=new Float64Array(t);const n=new Uint8Array(r.length);const o=r.length-e.length;let a=e.find(s=>!Number.isNaN(s))??
0;r.fill(a,0,o);e.forEach((s,i)=>{if(!Number.isNaN(s)){a=s;n[o+i]=1}r[o+i]=a});return{values:r,observed:n}}function ao(e,t){
return Uint8Array.from({length:e.length/t},(r,n)=>e.subarray(n*t,(n+1)*t).includes(1)?0:1)}function Ki(e,t){const r=ao(e,
t);return r.fill(0,r.lastIndexOf(0)+1)}function xt({values:e,observed:t}){let r=Number.POSITIVE_INFINITY;let n=Number.NEGATIVE_INFINITY;
for(let o=0;o<e.length;o++){if(t[o]!==1)continue;r=Math.min(r,e[o]);n=Math.max(n,e[o])}return{low:r,high:n}}function so(e,t,r,n){const o=e.length/V;const a=Float64Array.from(e,s=>jo(s)*r+t);for(let s=0;s<V;s++)jd(a,s,o);if(n!==void 0){
for(let s=0;s<a.length;s++){a[s]=Math.min(Math.max(a[s],n.low),n.high)}}return Array.from({length:o},(s,i)=>a.slice(i*V,
(i+1)*V).sort())}function jd(e,t,r){let n=Number.POSITIVE_INFINITY;let o=Number.NEGATIVE_INFINITY;for(let a=0;a<r;a++){const s=e[a*
V+t];if(!Number.isFinite(s))continue;n=Math.min(n,s);o=Math.max(o,s)}if(n>o)return;for(let a=0;a<r;a++){const s=a*V+t;if(e[s]===
Number.POSITIVE_INFINITY)e[s]=o;if(e[s]===Number.NEGATIVE_INFINITY)e[s]=n}}function zi(e,t,r){const{low:n,high:o}=xt(e);
return{low:n-r*t,high:o+r*t}}var Ji=1e-6;function io({values:e,observed:t},r){const n=e.length/r;const o=new Float64Array(n);const a=new Float64Array(
n);let s=0;let i=0;let l=0;let u=0;for(let c=0;c<e.length;c++){if(t[c]===1){const m=e[c];const d=l;s++;i+=m;l=i/s;u+=(m-
d)*(m-l)}if((c+1)%r===0){const m=(c+1)/r-1;o[m]=l;a[m]=Math.max(Math.sqrt(u/Math.max(s-1,1)),Ji)}}return{location:o,scale:a}}
function Zi(e,t,r,n){if(n<=0)return;const o=Xd(e,n);const a=o.reduce((u,c)=>u+c,0)/Math.max(o.length,1);const s=o.reduce(
(u,c)=>u+(c-a)**2,0);const i=Math.max(Math.sqrt(s/Math.max(o.length-1,1)),Ji);let l=0;for(let u=0;u<t.location.length;u++){
for(let c=u*r;c<(u+1)*r;c++)l+=e.observed[c];if(l>=n)return;t.location[u]=a;t.scale[u]=i}}function Xd({values:e,observed:t},r){
const n=[];for(let o=0;o<e.length&&n.length<r;o++){if(t[o]===1)n.push(e[o])}return n}function lo({values:e,observed:t},r){
const n=e.length/r;const o={count:new Float64Array(n),last:new Float64Array(n),step:new Float64Array(n)};let a=0;let s=0;
let i=0;for(let l=0;l<e.length;l++){if(t[l]===1){const u=e[l];if(a>0)i+=Math.abs(u-s);s=u;a++}if((l+1)%r===0){const u=(l+
1)/r-1;o.count[u]=a;o.last[u]=s;o.step[u]=i/Math.max(a-1,1)}}return o}function Lr({location:e,scale:t},{last:r,step:n},o){
const a=1e-6*(Math.abs(e[o])+Math.abs(r[o]))+1e-8;return{spread:Math.max(t[o],a),step:Math.max(n[o],a)}}function uo(e,t,r,n){const o=new Float32Array(2*r*n);for(let a=0;a<n;a++){const s=t.location[a];const i=t.scale[a];const l=2*
r*a;for(let u=0;u<r;u++){const c=a*r+u;if(e.observed[c]===1)o[l+u]=un((e.values[c]-s)/i);else o[l+r+u]=1}}return o}var el=8;
function tl(e,t,r,n){const o=e.length/n;const a=new Float32Array(e.length+Or*n);for(let s=0;s<n;s++){const i=s*(o+Or);a.
set(e.subarray(s*o,(s+1)*o),i);a.set(Kd(t,r,s),i+o)}return a}function Kd(e,t,r){const{spread:n,step:o}=Lr(e,t,r);const a=t.
last[r]-e.location[r];const s=[un(a/n),N(n/o),N(t.count[r]+1)/4];return s.map(i=>Math.min(Math.max(i,-el),el))}function rl(e){const{low:t,high:r}=xt(e);if(!(t<r))return null;return{level:e.values[0],unit:v(2,Math.floor(cn(nl(t,r))))}}
function nl(e,t){return Math.max(t/2-e/2,Number.MIN_VALUE)}function ol(e,{level:t,unit:r}){return{values:e.values.map(n=>n/
r-t/r),observed:e.observed}}function al(e,{level:t,unit:r}){return Math.max(-Number.MAX_VALUE,Math.min(Number.MAX_VALUE,
(e+t/r)*r))}var zd=-11;var Jd=256;var Zd=2**10;function co(e){const{low:t,high:r}=xt(e);if(!(t<r))return null;const n=nl(
t,r);const o=Math.floor(cn(n));const a=v(2,o-Math.min(Math.max(o,zd),Jd));const s=t>0?t:Math.min(r,0);const i=Zd*n;return{
level:s-Math.min(Math.max(s,-i),i),unit:a}}var ef={cutContext:Bi,chooseUnits:rl,markObserved:(e,t)=>void e.fill(1,e.length-t),findEmptyPatches:ao,read:(e,t,r)=>{const n=io(
e,t);Zi(e,n,t,r);return{statistics:n,steps:lo(e,t)}},writeTokens:(e,{statistics:t},r,n)=>uo(e,t,r,n),allowedRange:(e,{statistics:t},r,n)=>n>
0?zi(e,t.scale[r],n):void 0,restore:(e,{statistics:{location:t,scale:r}},n,o)=>so(e,t[n],r[n],o)};var sl=14;var tf={cutContext:ji,
chooseUnits:co,markObserved:()=>void 0,findEmptyPatches:Ki,read:(e,t)=>({statistics:io(e,t),steps:lo(e,t)}),writeTokens:(e,{
statistics:t},r,n)=>uo(e,t,r,n),allowedRange:()=>void 0,restore:(e,{statistics:t,steps:r},n,o)=>{const{spread:a,step:s}=Lr(
t,r,n);const i=e.map(l=>Math.min(Math.max(l,-sl),sl));return so(i,r.last[n],Math.sqrt(a*s),o)}};function Dr({hasAnchoredOutput:e,
hasExtraStatistics:t}){const r=e?tf:ef;return t?rf(r):r}function rf(e){return{...e,chooseUnits:co,writeTokens:(t,r,n,o)=>{
const a=e.writeTokens(t,r,n,o);return tl(a,r.statistics,r.steps,o)}}}var nf=128;async function qr(e,t,r,n){const{config:o}=e;const a=Dr(o);const s=t.map(i=>new mo(i,r,o.patchSize,a));for(let i=s;i.
length>0;i=i.filter(l=>!l.isDone)){for(const l of of(i)){W(n);const u=await e.run(l.map(c=>c.nextCall()));l.forEach((c,m)=>{
c.accept(u[m]??[])})}}return s.map(i=>i.result())}function of(e){const t=[];let r=0;for(const n of e){r+=n.positions;const o=t.
at(-1);if(o!==void 0&&r<=nf)o.push(n);else{t.push([n]);r=n.positions}}return t}var af=(V-1)/2;var mo=class{#t;#r;#e;#n;#o;#a;#s;#i;#u;#c=[];#l;constructor(t,r,n,o){
const a=(t.rows[0]?.values.length??0)/n;const s=Math.ceil(t.horizon/n);const i=Math.min(r.decodeBlockSize/n||s,s);this.#l=
{contextPatches:a,forecastPatches:s,blockPatches:i,done:0};this.#t=t.rows.map(l=>sf(l,n*s));this.#e=this.#t.map(({observed:l})=>{
const u=l.subarray(0,a*n);o.markObserved(u,n);return o.findEmptyPatches(u,n)});this.#i=t.rows.map(()=>[]);this.#r=t.seriesIds;
this.#n=n;this.#o=o;this.#a=r;this.#s=t.horizon}get isDone(){return this.#l.done>=this.#l.forecastPatches}get positions(){
const{contextPatches:t,done:r}=this.#l;return t+r+this.#m-1}nextCall(){const{scalerFallbackMinObs:t,quantileRealCapK:r}=this.#a;
this.#c=this.#t.map(a=>this.#o.read(a,this.#n,t));const n=this.#l.contextPatches-1;this.#u??=this.#t.map((a,s)=>this.#o.
allowedRange(a,this.#c[s],n,r));const o=Wi(this.#l);return{tokens:this.#t.map((a,s)=>this.#o.writeTokens(a,this.#c[s],this.#n,
o.length)),positions:o,kept:this.#m,isEmptyPatch:this.#e,seriesIds:this.#r}}accept(t){const r=this.#l.contextPatches+this.#l.
done;t.forEach((n,o)=>{const a=this.#t[o];const s=this.#c[o];n.forEach((i,l)=>{const u=r+l;const c=this.#o.restore(i,s,u,
this.#u?.[o]);this.#i[o]?.push(...c);const m=c.map(d=>d[af]);a.values.set(m,u*this.#n);a.observed.fill(1,u*this.#n,(u+1)*
this.#n)})});this.#l={...this.#l,done:this.#l.done+this.#m}}result(){return this.#i.map(t=>t.slice(0,this.#s))}get#m(){return kr(
this.#l,this.#l.done/this.#l.blockPatches)}};function sf(e,t){const r=e.values.length+t;const n=new Float64Array(r);const o=new Uint8Array(
r);n.set(e.values);o.set(e.observed);return{values:n,observed:o}}var il=768;var ll=4096;var lf=8;var uf=1e4;async function ml(e,{series:t,windows:r,quantiles:n},o){W(o);const{patchSize:a}=e.
config;const s=Dr(e.config);const i=r.map(m=>cl(()=>{X(n,df);return cf(t.values,m,n,a,s)}));const l=Math.max(a,il-il%a);
const u=await ul(e,i,m=>m<=l,0,o);const c=await ul(e,i,m=>m>l,l,o);return i.map(m=>{if(!("forecast"in m))return m;const d=u.
get(m)??c.get(m)??[];return cl(()=>({rows:mf(d,m.units,n)}))})}function cf(e,{length:t,horizon:r},n,o,a){if(!(Number.isInteger(
r)&&r>=1&&r<=ll)){throw new P("UNSUPPORTED_HORIZON",`toto forecasts 1 to ${ll} steps, not ${r}.`)}const s=a.cutContext(e.
subarray(0,t),o);if(!s.observed.includes(1)){throw new P("INSUFFICIENT_HISTORY","toto needs an observation in the period\
s that it looks back on.")}if(!s.values.every(Number.isFinite))throw new P("INVALID_SERIES","The series holds an infinit\
e value.");const i=a.chooseUnits(s);if(i===null)return{rows:ce(s.values[0])(r,n)};return{forecast:{rows:[ol(s,i)],seriesIds:[
0],horizon:r},units:i}}async function ul(e,t,r,n,o){const a=t.filter(l=>"forecast"in l).filter(({forecast:l})=>r(l.horizon));
const s={decodeBlockSize:n,scalerFallbackMinObs:lf,quantileRealCapK:uf};const i=await qr(e,a.map(({forecast:l})=>l),s,o);
return new Map(a.map((l,u)=>[l,i[u]?.[0]??[]]))}function mf(e,t,r){fo(e);return e.map(n=>ff(n,r).map(o=>al(o,t)))}function fo(e){
if(e.every(t=>t.every(Number.isFinite)))return;throw new P("NOT_CONVERGED","The forecast leaves the range of numbers.")}
function cl(e){try{return e()}catch(t){if(!(t instanceof P))throw t;return{failure:{code:t.code,message:t.message}}}}var df={
min:.1,max:.9,interpolation_inside_range:true};function ff(e,t){return Float64Array.from(t,r=>{const n=r*10-1;const o=Math.
min(Math.floor(n),V-1);const a=e[o];const s=e[Math.min(o+1,V-1)];return Math.min(s,a+(n-o)*(s-a))})}async function dl(e,t,r){pf(t,e.config.patchSize);const n=t.target.map((a,s)=>({rows:a.map((i,l)=>({values:Float64Array.
from(i),observed:Uint8Array.from(t.mask[s]?.[l]??[],Number)})),seriesIds:t.seriesIds[s]??[],horizon:t.horizon}));const o=await qr(
e,n,t,r);for(const a of o.flat())fo(a);return o}function pf({target:e,mask:t,seriesIds:r,horizon:n,decodeBlockSize:o},a){
const s=e[0]?.[0]?.length??0;const i=e[0]?.length??0;if(s===0||s%a!==0)throw new RangeError(`A target must have whole pa\
tches of ${a}.`);const l=e.every((u,c)=>u.length===i&&r[c]?.length===i&&u.every((m,d)=>m.length===s&&t[c]?.[d]?.length===
s));if(!l)throw new RangeError("Targets, masks and ids must have the same shape in every set.");if(!(Number.isInteger(n)&&
n>=1))throw new RangeError("A horizon has at least one step.");if(!(o>=0&&o%a===0)){throw new RangeError(`A block must h\
ave whole patches of ${a}.`)}}var hf=0;var bf=2;var yf=5;var Y=class{#t=[];#r=0;integer(t,r){this.#n(_t(BigInt(t*8+hf)));return this.#n(_t(BigInt.asUintN(
64,BigInt(r))))}float(t,r){this.#n(_t(BigInt(t*8+yf)));const n=new Uint8Array(4);new DataView(n.buffer).setFloat32(0,r,true);
return this.#n(n)}text(t,r){return this.bytes(t,new TextEncoder().encode(r))}bytes(t,r){return this.#e(t,r.length).#n(r)}message(t,r){
this.#e(t,r.#r);for(const n of r.#t)this.#n(n);return this}get size(){return this.#r}toBytes(){const t=new Uint8Array(this.#r);
let r=0;for(const n of this.#t){t.set(n,r);r+=n.length}return t}#e(t,r){this.#n(_t(BigInt(t*8+bf)));return this.#n(_t(BigInt(
r)))}#n(t){this.#t.push(t);this.#r+=t.length;return this}};function _t(e){const t=[];let r=e;while(r>=128n){t.push(Number(
r&127n)|128);r>>=7n}t.push(Number(r));return Uint8Array.from(t)}var fl=1;var gf=7;function pl(e,t,r){return bl(e,fl,r,new Uint8Array(t.buffer,t.byteOffset,t.byteLength))}function hl(e,t){
const r=BigInt64Array.from(t,BigInt);return bl(e,gf,[t.length],new Uint8Array(r.buffer))}function bl(e,t,r,n){const o=new Y;
for(const a of r)o.integer(1,a);return o.integer(2,t).text(8,e).bytes(9,n)}function po(e){const t=new Y;for(const r of e.
inputs)t.text(1,r);for(const r of e.outputs)t.text(2,r);t.text(4,e.operator).text(7,e.domain);for(const[r,n]of Object.entries(
e.attributes))t.message(5,Af(r,n));return t}function Af(e,t){const r=new Y().text(1,e);if("float"in t)return r.float(2,t.
float).integer(20,1);if("int"in t)return r.integer(3,t.int).integer(20,2);for(const n of t.ints)r.integer(8,n);return r.
integer(20,7)}function ho(e,t){const r=new Y;for(const o of t){const a=new Y;r.message(1,typeof o==="number"?a.integer(1,
o):a.text(2,o))}const n=new Y().integer(1,fl).message(2,r);return new Y().text(1,e).message(2,new Y().message(1,n))}function yl(e,t){
const r=new Y().integer(1,Sf).text(2,"almanac").message(7,e);for(const[n,o]of Object.entries(t)){r.message(8,new Y().text(
1,n).integer(2,o))}return r}var Sf=8;var Ce="com.microsoft";var Ff={"":17,[Ce]:1};var gl=2**31-1;var Ur=class{#t=[];#r=[];#e=[];#n=[];#o=0;input(t,r){this.#e.
push(ho(t,r));return t}output(t,r,n){this.#n.push(ho(t,r));this.#t.push(po({operator:"Identity",domain:"",inputs:[n],outputs:[
t],attributes:{}}))}floats(t,r){const n=this.#a();this.#r.push(pl(n,t,r));return n}ints(...t){const r=this.#a();this.#r.
push(hl(r,t));return r}node(t,r,n={}){return this.nodes(t,r,1,n)[0]}nodes(t,r,n,o={}){const{domain:a="",attributes:s={}}=o;
const i=Array.from({length:n},()=>this.#a());this.#t.push(po({operator:t,domain:a,inputs:r,outputs:i,attributes:s}));return i}toBytes(){
const t=new Y;for(const n of this.#t)t.message(1,n);t.text(2,"toto");for(const n of this.#r)t.message(5,n);for(const n of this.#e)
t.message(11,n);for(const n of this.#n)t.message(12,n);const r=yl(t,Ff);if(r.size<=gl)return r.toBytes();throw new L("TO\
O_LARGE",`The weights make a graph of ${r.size} bytes, more than ${gl}.`)}#a(){this.#o++;return`v${this.#o}`}};var wf=1.766782948312328;function Al(e,t){return e.node("QuickGelu",[t],{domain:Ce,attributes:{alpha:{float:1}}})}function Rt(e,t,{
weight:r,outputs:n,factor:o,added:a}){const s=e.floats(r,[n,r.length/n]);const i=a instanceof Float32Array?e.floats(a,[n]):
a;return e.node("Gemm",i===void 0?[t,s]:[t,s,i],{attributes:{transB:{int:1},alpha:{float:o}}})}function Tt(e,t,r,n){const{
name:o,outputs:a,factor:s}=n;const i=t.scaled(`${o}.bias`,s);return Rt(e,r,{weight:t.raw(`${o}.weight`),outputs:a,factor:s,
added:i})}function bo(e,t,r,n){const{name:o,outputs:a}=n;const s=Math.SQRT1_2/n.hiddenScale;const i=Math.SQRT1_2/n.skipScale;
const l={name:`${o}.linear1`,outputs:n.hidden,factor:1/Math.sqrt(n.inputs)};const u=Al(e,Tt(e,t,r,l));const c=t.scaled(`${o}\
.linear2.bias`,s);const m=Rt(e,r,{weight:t.raw(`${o}.skip_proj.weight`),outputs:a,factor:i,added:t.scaled(`${o}.skip_pro\
j.bias`,i)?.map((d,f)=>d+(c?.[f]??0))});return Rt(e,u,{weight:t.raw(`${o}.linear2.weight`),outputs:a,factor:wf*s,added:m})}
function Sl(e,t,r,n){const{name:o,modelDim:a,hidden:s,factor:i}=n;const l={name:`${o}.fc1`,outputs:2*s,factor:1/Math.sqrt(
a)};const u={name:`${o}.fc2`,outputs:a,factor:i/Math.sqrt(s)};const c=Tt(e,t,r,l);const[m,d]=e.nodes("Split",[c],2,{attributes:{
axis:{int:-1}}});return Tt(e,t,e.node("Mul",[m,Al(e,d)]),u)}function Wr(e,t,r,n){return e.node("SimplifiedLayerNormaliza\
tion",[t,e.floats(r,[r.length])],{attributes:{axis:{int:-1},epsilon:{float:n}}})}function yo(e,t,r,n,o){const a=e.floats(
n,[n.length]);const[s,,,i]=e.nodes("SkipSimplifiedLayerNormalization",[t,r,a],4,{domain:Ce,attributes:{epsilon:{float:o}}});
return{state:i,normed:s}}var Vr=class{#t;#r;#e;#n;#o;constructor(t,r,n,o){this.#t=t;this.#r=r;this.#e=n;this.#n=o;this.#o=Ef(n,o,r)}width(...t){return t.
reduce((r,n)=>r+this.#o[n].length,0)}project(t,...r){const{modelDim:n,hasAttentionBias:o}=this.#e;const a=r.flatMap(u=>this.#o[u]);
const s=`${this.#n}.attn.in_proj`;const i=1/Math.sqrt(n);const l=o?this.#r.rows(`${s}.bias`,1,a):void 0;return Rt(this.#t,
t,{weight:this.#r.rows(`${s}.weight`,n,a),outputs:a.length,factor:i,added:l?.map(u=>i*u)})}split(t,...r){const n=this.#t.
ints(...r.map(o=>this.width(o)));return this.#t.nodes("Split",[t,n],r.length,{attributes:{axis:{int:-1}}})}normQueries(t){
if(!this.#e.hasQueryNorm)return t;return this.#a(t,"q_norm",Fl(this.#e,this.#n,this.#r))}normKeys(t){return this.#e.hasQueryNorm?
this.#a(t,"k_norm",void 0):t}#a(t,r,n){const{heads:o,queryDim:a,hasQueryNormWeight:s,normEpsilon:i}=this.#e;const l=s?this.#r.
raw(`${this.#n}.attn.${r}.weight`):void 0;const u=Float32Array.from({length:a},(d,f)=>(l?.[f]??1)*(n?.[f]??1));const c=this.#t;
const m=c.node("Reshape",[t,c.ints(0,0,o,a)]);return c.node("Reshape",[Wr(c,m,u,i),c.ints(0,0,o*a)])}};function Ef(e,t,r){
const{heads:n,groups:o,queryDim:a,valueDim:s}=e;const i=e.hasQueryNorm?void 0:Fl(e,t,r);const l=m=>Math.floor(m*o/n);const u=n*
a;const c=u+o*a;return{queries:go(n,a,(m,d)=>({row:m*a+d,factor:i?.[d]??1})),keys:go(n,a,(m,d)=>({row:u+l(m)*a+d,factor:1})),
values:go(n,s,(m,d)=>({row:c+l(m)*s+d,factor:1}))}}function Fl(e,t,r){if(!e.hasPerDimScale)return void 0;const n=r.raw(`${t}\
.attn._pds.per_dim_scale`);return Float64Array.from(n,o=>(Math.max(o,0)+Ve(C(-Math.abs(o))))/Math.LN2)}function go(e,t,r){
return Array.from({length:e*t},(n,o)=>r(Math.floor(o/t),o%t))}var Gr=class{#t;#r;#e;constructor(t,r,n,o){this.#t=t;this.#r=n;this.#e=new Vr(t,r,n,o)}overTime(t,r){const n=["queries",
"keys","values"];const o=this.#s(this.#e.project(t,...n),r,this.#e.width(...n));const[a,s,i]=this.#e.split(o,...n);return this.#n(
a,s,i,r)}overTimeOfKept(t,r,n,o){const a=this.#s(this.#e.project(n,"queries"),o,this.#e.width("queries"));const s=["keys",
"values"];const i=this.#s(this.#e.project(t,...s),r,this.#e.width(...s));const[l,u]=this.#e.split(i,...s);return this.#n(
a,l,u,o)}overVariates(t,r){const n=["queries","keys","values"];const o=this.#s(this.#e.project(t,...n),r,this.#e.width(...n));
const a=this.#u(o);const[s,i,l]=this.#e.split(a,...n);const u=this.#o(this.#e.normQueries(s),this.#e.normKeys(i),l,r.variateMask);
return this.#i(this.#u(u))}#n(t,r,n,o){const a=this.#a(this.#e.normQueries(t),o.queryCos,o.querySin);const s=this.#a(this.#e.
normKeys(r),k.keyCos,k.keySin);return this.#i(this.#o(a,s,n,o.timeMask))}#o(t,r,n,o){return this.#t.node("MultiHeadAtten\
tion",[t,r,n,"","",o],{domain:Ce,attributes:{num_heads:{int:this.#r.heads},scale:{float:1/this.#r.queryDim}}})}#a(t,r,n){
const{heads:o,queryDim:a}=this.#r;return this.#t.node("RotaryEmbedding",[t,this.#t.ints(0),r,n],{domain:Ce,attributes:{interleaved:{
int:1},num_heads:{int:o},rotary_embedding_dim:{int:a/2}}})}#s(t,r,n){return this.#t.node("Reshape",[t,oo(this.#t,-1,r.count,
n)])}#i(t){return this.#t.node("Reshape",[t,this.#t.ints(-1,this.#e.width("values"))])}#u(t){return this.#t.node("Transp\
ose",[t],{attributes:{perm:{ints:[1,0,2]}}})}};var $r=class{#t;constructor(t){this.#t=t.tensors}raw(t){const r=this.#t.get(t);if(r===void 0)throw new L("TENSOR_MISSING",
`The tensor ${t} is missing.`);return r}number(t){return this.raw(t)[0]}scaled(t,r){return this.#t.get(t)?.map(n=>r*n)}rows(t,r,n){
const o=this.raw(t);const a=new Float32Array(n.length*r);for(let s=0;s<n.length;s++){const{row:i,factor:l}=n[s];a.set(o.
subarray(i*r,(i+1)*r),s*r);if(l===1)continue;for(let u=s*r;u<(s+1)*r;u++)a[u]=l*a[u]}return a}};function wl(e){const{config:t}=e;const{patchSize:r,tokenWidth:n,modelDim:o}=t;const a=new Ur;const s=new $r(e);Mf(a,t);const i=bo(
a,s,a.node("Reshape",[k.tokens,a.ints(-1,n)]),{name:"patch_proj",inputs:n,hidden:4*o,outputs:o,hiddenScale:Math.sqrt(4*o),
skipScale:Math.sqrt(n)});const l=bo(a,s,Nf(a,s,t,i),{name:"output_head.param_projection.proj",inputs:o,hidden:4*o,outputs:V*
r,hiddenScale:4*o,skipScale:o});a.output(vr,["results",V*r],l);return a.toBytes()}function Nf(e,t,r,n){const{modelDim:o,
isVariateLayer:a}=r;const{all:s,kept:i,keep:l}=qi(e);const u=new Ao(r.normEpsilon);const c=p=>r.hasNormWeight?t.raw(p):new Float32Array(
o).fill(1);const m=a.lastIndexOf(false);let d=m===-1?l(n,o):n;let f=Wr(e,d,c("transformer.layers.0.norm1.weight"),u.epsilon);
a.forEach((p,h)=>{const b=`transformer.layers.${h}`;const y=new Gr(e,t,r,b);let S;if(p)S=y.overVariates(f,h<m?s:i);else if(h<
m)S=y.overTime(f,s);else{S=y.overTimeOfKept(f,s,l(f,o),i);d=l(d,o)}const F=Tt(e,t,S,{name:`${b}.attn.out_proj`,outputs:o,
factor:u.addBranch(t,`${b}.attn_tau`)/Math.sqrt(r.heads*r.valueDim)});({state:d,normed:f}=yo(e,d,F,c(`${b}.norm2.weight`),
u.epsilon));const g=Sl(e,t,f,{name:`${b}.ffn`,modelDim:o,hidden:r.feedForwardDim,factor:u.addBranch(t,`${b}.mlp_tau`)});
const A=h===a.length-1;const w=A?"transformer.out_norm.weight":`transformer.layers.${h+1}.norm1.weight`;({state:d,normed:f}=
yo(e,d,g,c(w),u.epsilon))});return f}function Mf(e,t){const r=tt(t);e.input(k.tokens,["variates","positions",t.tokenWidth]);
for(const n of[k.queryCos,k.querySin,k.keyCos,k.keySin]){e.input(n,["positions",r])}e.input(k.timeMask,["variates",1,"po\
sitions","positions"]);e.input(k.keptMask,["variates",1,"kept","positions"]);e.input(k.variateMask,["positions",1,"varia\
tes","variates"])}var xf=1e6;var Ao=class{#t;#r=1;constructor(t){this.#t=t}get epsilon(){return this.#t*this.#r**2}addBranch(t,r){
const n=t.number(r);const o=n*this.#r;this.#r*=Math.sqrt(1+n**2);if(this.#r<=xf)return o;throw new L("TENSOR_OUT_OF_RANG\
E",`The tensor ${r} lets the state grow too far: it is ${n}.`)}};async function El(e,t){const r=await t(wl(e));const n=new Cr(e.config,r);return{forecast:(o,a)=>dl(n,o,a),forecastWindows:(o,a)=>ml(
n,o,a)}}function Nl(e,t,r){const{series:n,windows:o,quantiles:a,seed:s}=t;let i;return o.map(({length:l,horizon:u})=>{const c=i!==
void 0&&i.length<=l?i.forecaster:void 0;const m={...n,values:n.values.subarray(0,l),times:n.times.subarray(0,l)};try{const d=e.
fit(m,{seed:s,signal:r,earlierFit:c});i={forecaster:d,length:l};return{rows:d(u,a)}}catch(d){if(!(d instanceof P)||d.code===
"ABORTED")throw d;return{failure:{code:d.code,message:d.message}}}})}export{Ri as ENGINE_VERSION,fe as MODEL_CATALOG,P as ModelError,Ds as createModels,Nl as fitWindows,Ti as forecast,no as readCheckpoint,
El as startToto};
