import { drawBars } from '../../../../charts/index.ts';
import { formatCount, formatDay, formatInteger, formatSize, periodFormat } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { renderMeaning, renderTerm, type Term } from '../terms.ts';
import type { Usage } from './plan-view.ts';

type History = NonNullable<Usage['history']>;
type Entry = History['entries'][number];
type Column = 'credits' | 'peak_slots' | 'stored_bytes';

/** Renders a history: one chart for each number, each with a sentence, and all numbers in a table. */
export function renderHistory(history: History, usage: Usage): Html {
  const { interval, entries } = history;
  const total = entries.reduce((sum, { credits }) => sum + credits, 0);
  const per = interval === 'day' ? 'a day' : 'a month';
  return html`${renderChart(history, 'credits', {
    title: 'Credits',
    term: 'credit',
    sentence: describeCredits(entries, total, usage, interval),
    units: `Credits ${per}`,
  })}
<div class="grid two">
${renderChart(history, 'peak_slots', {
  title: 'Slots',
  term: 'slot',
  sentence: describePeak(entries, usage, interval),
  units: 'Most slots in use',
})}
${renderChart(history, 'stored_bytes', {
  title: 'Storage',
  sentence: describeStorage(entries, usage, interval),
  units: 'Megabytes stored',
  scale: 1e-6,
})}
</div>
${renderTable(history)}`;
}

interface ChartWords {
  readonly title: string;
  readonly term?: Term;
  readonly sentence: string;
  readonly units: string;
  readonly scale?: number;
}

function renderChart({ entries }: History, column: Column, words: ChartWords): Html {
  const { title, term, sentence, units, scale = 1 } = words;
  const chart = {
    title: `${title} over time`,
    units,
    timestamps: entries.map(({ start }) => Date.parse(start)),
    values: entries.map((entry) => (entry[column] ?? Number.NaN) * scale),
    description: sentence,
    isWhole: column === 'peak_slots',
  };
  const draw = (width: number, height: number, id: string) =>
    new Html(drawBars(chart, { width, height, id: `${column}-${id}`, standalone: false }));
  const isWide = column === 'credits';
  return html`<section class="card stack" aria-labelledby="${column}-title">
<h2 id="${column}-title">${title}${term !== undefined && renderMeaning(term)}</h2>
<figure><div class="chart"><div class="desk">${draw(isWide ? 860 : 420, 260, 'wide')}</div><div class="phone">${draw(320, 240, 'narrow')}</div></div>
<figcaption>${sentence}</figcaption></figure>
</section>`;
}

function describeCredits(entries: readonly Entry[], total: number, { credits }: Usage, interval: string): string {
  if (total === 0) return `No credits were used in ${formatCount(entries.length, interval)}.`;
  const most = entries.reduce((best, entry) => (entry.credits > best.credits ? entry : best));
  const left = credits.left === null ? '' : ` ${formatCount(credits.left, 'credit')} are left this month.`;
  return `${formatCount(total, 'credit')} in ${formatCount(entries.length, interval)}, the most ${formatInteger(most.credits)} ${interval === 'day' ? 'on' : 'in'} ${nameEntry(most, interval)}.${left}`;
}

function describePeak(entries: readonly Entry[], { slots }: Usage, interval: string): string {
  const known = entries.filter(({ peak_slots: peak }) => peak !== null);
  const peak = Math.max(0, ...known.map(({ peak_slots }) => peak_slots ?? 0));
  if (known.length === 0) return 'Slots were not recorded in this time.';
  if (peak === 0) return 'No forecast was made in this time.';
  const full = known.filter(({ peak_slots }) => (peak_slots ?? 0) >= slots.limit).length;
  const taken =
    slots.limit === 1
      ? 'The one slot was taken'
      : `At most ${formatInteger(peak)} of ${formatCount(slots.limit, 'slot')} ${peak === 1 ? 'was' : 'were'} taken. All were taken`;
  return `${taken} in ${formatInteger(full)} of ${formatCount(known.length, interval)}.`;
}

function describeStorage(entries: readonly Entry[], { storage }: Usage, interval: string): string {
  const known = entries.filter(({ stored_bytes: bytes }) => bytes !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return 'Storage was not recorded in this time.';
  const end = `${formatSize(last.stored_bytes ?? 0)} of ${formatSize(storage.limit_bytes)} at the end`;
  if (known.length === 1) return `${end}.`;
  return `${formatSize(first.stored_bytes ?? 0)} after ${nameEntry(first, interval)}, ${end}.`;
}

function nameEntry({ start }: Pick<Entry, 'start'>, interval: string): string {
  const date = new Date(start);
  return interval === 'day' ? formatDay(date) : periodFormat('1MS')(date);
}

function renderTable({ interval, entries }: History): Html {
  const cell = (value: number | null, format: (value: number) => string): string =>
    value === null ? '–' : format(value);
  return html`<section class="card stack" aria-labelledby="numbers-title">
<h2 id="numbers-title">The numbers</h2>
<p class="hint" id="numbers-hint">Credits count on the ${interval} in which the forecast was made. Days and months are in UTC. A dash: not recorded then.</p>
<div class="scroll tall" tabindex="0" role="region" aria-label="Usage by ${interval}">
<table aria-labelledby="numbers-title" aria-describedby="numbers-hint">
<thead><tr><th scope="col">${interval === 'day' ? 'Day' : 'Month'}</th><th scope="col">Credits</th><th scope="col">Most ${renderTerm('slot', 'slots')}</th><th scope="col">Stored</th></tr></thead>
<tbody>${entries
    .toReversed()
    .map(
      (entry) =>
        html`<tr><th scope="row"><time datetime="${interval === 'day' ? entry.start : entry.start.slice(0, 7)}">${nameEntry(entry, interval)}</time></th><td>${formatInteger(entry.credits)}</td><td>${cell(entry.peak_slots, formatInteger)}</td><td>${cell(entry.stored_bytes, formatSize)}</td></tr>`,
    )}</tbody>
</table></div>
</section>`;
}
