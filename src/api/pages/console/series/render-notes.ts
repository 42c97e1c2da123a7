import { formatDay, formatInteger } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { seriesAddress } from '../source-address.ts';
import { renderNote } from '../states.ts';
import { formatProvider } from '../words.ts';
import { choiceParams } from './page-choices.ts';
import type { SeriesRows } from './read-rows.ts';
import type { SeriesView } from './series-view.ts';
import { describeDropped } from './words.ts';

/** Renders what the reader must know about the rows: another provider, rows that are left out, older ones, a snapshot. */
export function renderNotes(view: SeriesView, rows: SeriesRows): Html {
  const { source, choices } = view;
  const dropped = describeDropped(rows.dropped);
  const first = rows.timestamps[0];
  const all = seriesAddress(source, choiceParams(choices, { limit: '50000', from: '', to: '', snapshot: '' }));
  const canReadMore = rows.timestamps.length < 50_000 && choices.snapshot === null;
  return html`${rows.fallbackUsed && renderNote('warning', `The preferred provider failed. These rows are from ${formatProvider(rows.provider)}.`)}
${dropped !== '' && renderNote('warning', `Rows of the provider that are not valid were left out: ${dropped}.`)}
${choices.snapshot !== null && renderNote('info', html`These are the rows of one snapshot. <a href="${seriesAddress(source, choiceParams(choices, { snapshot: '' }))}">Read the current rows</a>`)}
${
  rows.truncated &&
  choices.snapshot === null &&
  html`<p class="small soft">There are rows before ${first === undefined ? 'these' : formatDay(new Date(first))}. ${
    canReadMore && html`<a class="tap" href="${all}">Read up to 50,000</a>`
  }</p>`
}`;
}

/** Renders the snapshot with the address that always shows its rows. */
export function renderSnapshot({ source, choices }: SeriesView, { snapshotId, timestamps }: SeriesRows): Html {
  const href = seriesAddress(source, choiceParams(choices, { snapshot: snapshotId, limit: '' }));
  return html`<section class="card stack" aria-labelledby="snapshot">
<h2 id="snapshot">Snapshot</h2>
<p>These ${formatInteger(timestamps.length)} rows are stored as they are now. A link to the snapshot shows the same rows, even if the provider changes them.</p>
<p><code class="id">${snapshotId}</code></p>
<p><a class="tap" href="${href}">Link to exactly these rows</a></p>
<p class="hint">A snapshot that no forecast uses is kept for a day after its last use.</p>
</section>`;
}
