import { DAY_MS } from '../../../../calendar/index.ts';
import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { formatCount, formatDay } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { attempt, type FieldLabels, toFieldErrors } from '../refusals.ts';
import { renderEmpty, renderNote, renderProblem } from '../states.ts';
import type { Visitor } from '../visitor.ts';
import type { Fields } from './distribution.ts';
import { checkEntered, type Entered } from './entered.ts';
import { describeRules, type ShownRules } from './filter-words.ts';
import { renderMatches } from './matches.ts';
import { renderMissing, renderUnknown } from './symbols.ts';

type Found = Output<Operations['previewScreenerAlert']>;

/** What a filter would match today, or why that cannot be shown. */
export type Preview =
  | { readonly kind: 'found'; readonly rules: ShownRules; readonly found: Found }
  | { readonly kind: 'invalid'; readonly errors: FieldErrors }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Evaluates the filter of a form in the latest session. Saves nothing. */
export async function readPreview(visitor: Visitor, entered: Entered): Promise<Preview> {
  const checked = checkEntered(entered);
  if ('errors' in checked) return { kind: 'invalid', errors: checked.errors };
  const { rules } = checked;
  const found = await attempt(() => visitor.call('previewScreenerAlert', { body: rules }));
  if (!(found instanceof Fault)) return { kind: 'found', rules, found };
  if (found.status === 403 || found.status === 401) throw found;
  const errors = explainRules(found, entered, rules);
  return errors === null ? { kind: 'failed', fault: found } : { kind: 'invalid', errors };
}

/** Returns the errors of the fields that a fault about a filter names; null if it names none. */
export function explainRules(
  fault: Fault,
  entered: Entered,
  { universe }: Pick<ShownRules, 'universe'>,
): FieldErrors | null {
  const labels: Record<string, FieldLabels[string]> = { name: 'Name', universe: ['symbols', 'Symbols'] };
  if (universe !== 'all')
    for (const [i, symbol] of universe.entries()) labels[`universe[${i}]`] = ['symbols', `“${symbol.slice(0, 40)}”`];
  for (const i of entered.conditions.keys()) {
    const list = `${entered.combine}[${i}]`;
    const place = `Condition ${i + 1}`;
    labels[list] = [`field.${i}`, place];
    labels[`${list}.field`] = [`field.${i}`, `${place}: the field`];
    labels[`${list}.op`] = [`op.${i}`, `${place}: the comparison`];
    labels[`${list}.value`] = [`value.${i}`, `${place}: the number`];
    labels[`${list}.other_field`] = [`other.${i}`, `${place}: the other field`];
  }
  labels[entered.combine] = ['', 'The list of conditions'];
  const errors = toFieldErrors(fault, labels);
  if (errors === null) return null;
  const words = Object.entries(errors).map(([name, text]) => [
    name,
    text.replace(/is the same as \[(\d+)\]/, (_, i) => `is the same as condition ${Number(i) + 1}`),
  ]);
  return Object.fromEntries(words);
}

/** Returns the status of a page with this preview. */
export function statusOf(preview: Preview): number {
  if (preview.kind === 'failed') return preview.fault.status;
  return preview.kind === 'invalid' ? 400 : 200;
}

interface Around {
  /** The address that reads the preview again. */
  readonly retry: string;
  readonly now: Date;
}

/**
 * Renders the preview beside its form.
 *
 * @param fields the fields with their distributions, which tell how many symbols the session has
 */
export function renderPreview(preview: Preview, fields: Fields, { retry, now }: Around): Html {
  return html`<section id="preview" class="card stack" aria-labelledby="preview-title">
<h2 id="preview-title">What matches</h2>
${renderContent(preview, fields, { retry, now })}
</section>`;
}

function renderContent(preview: Preview, fields: Fields, { retry, now }: Around): Html {
  if (preview.kind === 'failed') return renderProblem(preview.fault, { retry, level: 3 });
  if (preview.kind === 'invalid') {
    return html`<p class="soft" data-news>The matches appear here as soon as the filter is complete:</p>
<ul class="plain soft">${Object.values(preview.errors).map((text) => html`<li>${text}</li>`)}</ul>`;
  }
  const { rules, found } = preview;
  const { session, total, matches, missing, unknown_symbols: unknown = [] } = found;
  if (session === null) {
    return html`<p class="measure">${describeRules(rules)}</p>${renderEmpty({
      title: 'No session has been evaluated yet',
      text: 'A preview needs the closes of a session of the US stock exchanges. You can save the filter now; it is evaluated after the next close for which there are bars.',
      level: 3,
    })}`;
  }
  return html`<p class="measure">${describeRules(rules)}</p>
<p data-news><span class="figure">${total.toLocaleString('en-US')}</span> ${total === 1 ? 'match' : 'matches'} at the close of <time datetime="${session}">${formatDay(new Date(session))}</time>${
    matches.length < total &&
    `. The first ${formatCount(matches.length, 'match').replace(/matchs$/, 'matches')} are listed`
  }.</p>
<p class="soft small">Session of the US stock exchanges${describeSize(rules, fields, session)}.${describeAge(session, now)}</p>
${
  total === 0
    ? renderNote(
        'info',
        'No symbol met the conditions in this session. A filter that rarely matches is fine: it is evaluated after every close.',
      )
    : renderMatches(matches, 'Matches of the preview')
}
${renderMissing(missing.filter((symbol) => !unknown.includes(symbol)))}
${renderUnknown(unknown)}`;
}

/** More days than any holidays close the exchanges for. */
const MAX_AGE_DAYS = 10;

/** Returns what an old session means, so that no reader takes it for the last one; empty for a recent one. */
function describeAge(session: string, now: Date): string {
  const days = (now.getTime() - Date.parse(session)) / DAY_MS;
  return days > MAX_AGE_DAYS ? ' It is not recent: this service has no later closes.' : '';
}

/** Returns how many symbols were compared; empty if that is not known, as for a list of symbols. */
function describeSize({ universe }: ShownRules, { session, fields }: Fields, shown: string): string {
  const closes = fields.find(({ field }) => field === 'close')?.distribution;
  // A run may complete between the two reads.
  if (universe !== 'all' || session !== shown || !closes) return '';
  return `, with closes of ${formatCount(closes.count, 'symbol')}`;
}
