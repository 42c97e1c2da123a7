import { createHash } from 'node:crypto';
import { CHART_STYLE } from '../../../charts/index.ts';
import { STYLE } from '../style.ts';

/** What the pages of forecasts and questions add to the stylesheet of all pages. */
const OWN_STYLE = `
.public { padding-top: 1.5rem; }
.public .brand { justify-content: space-between; max-width: 62rem; margin: 0 auto 1.25rem; }
.public .brand .tag { color: var(--soft); }
.public main, .public footer { max-width: 62rem; }
.public h1 { font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.25rem); }
.lead { font-size: clamp(1.0625rem, 1rem + .4vw, 1.25rem); line-height: 1.45; max-width: 44rem; }
.lead strong { font-variant-numeric: tabular-nums; white-space: nowrap; }
.chart svg { display: block; width: 100%; height: auto; font-family: inherit; }
.chart .phone { display: none; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; }
.tiles > div { border: 1px solid var(--line); border-radius: 10px; padding: .75rem .875rem; margin: 0; }
.tiles dt { font-size: .875rem; }
.tiles dd { font-size: 1.125rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; }
.facts > div { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1.25rem; padding: .625rem 0; border-bottom: 1px solid var(--line); margin: 0; }
.facts > div:last-child { border-bottom: 0; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 1.25rem; margin-top: 1.25rem; align-items: start; }
.columns > .card { margin: 0; min-width: 0; }
.columns + .card { margin-top: 1.25rem; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .4rem .75rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
td.when { white-space: normal; }
td.words, th.words { text-align: left; white-space: normal; min-width: 12rem; overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 600; font-size: .875rem; border-bottom-color: var(--edge); }
tbody th { font-weight: 500; }
td.middle { font-weight: 650; }
summary { min-height: 2.75rem; display: flex; align-items: center; cursor: pointer; color: var(--accent); font-weight: 600; }
summary::before { content: "+"; width: 1.25rem; }
details[open] > summary::before { content: "\\2212"; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: 0; white-space: pre-wrap; background: var(--back); border-radius: 8px; padding: .75rem 1rem; }
.links { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.big { font-size: clamp(2.75rem, 2rem + 4vw, 4.5rem); font-weight: 700; line-height: 1; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.state { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.plain { background: var(--card); padding: 0; }
.plain main { max-width: 59.5rem; padding: .75rem 1rem .5rem; }
.plain h1 { font-size: 1.0625rem; }
.plain .chart { margin-top: .5rem; }
.plain .foot { display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: center; justify-content: space-between; font-size: .875rem; color: var(--soft); }
@media (max-width: 50rem) { .columns { grid-template-columns: 1fr; } }
@media (max-width: 40rem) {
  .public { padding-left: .75rem; padding-right: .75rem; }
  .public .card { padding: 1.25rem 1rem; }
  .chart .phone { display: block; }
  .chart .desk { display: none; }
  .tiles { grid-template-columns: 1fr 1fr; gap: .5rem; }
  .tiles > div { padding: .625rem .75rem; }
  .tiles dd { font-size: 1.0625rem; }
  .facts > div { grid-template-columns: 1fr; }
  th, td { padding: .4rem .375rem; font-size: .875rem; }
  thead th { font-size: .8125rem; }
}
@media print { .public { padding: 0; background: none; } .card { border: 0; padding: .5rem 0; } }
`;

/** The stylesheet of public pages. It is embedded in each page and allowed by its hash. */
export const PUBLIC_STYLE = `${STYLE}${OWN_STYLE}${CHART_STYLE}\n`;

/** Returns the source expression of a stylesheet for a content security policy. */
function sourceOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

export const PUBLIC_STYLE_SOURCE = sourceOf(PUBLIC_STYLE);

/** For a chart that is a file of its own, which contains its stylesheet. */
export const CHART_STYLE_SOURCE = sourceOf(CHART_STYLE);
