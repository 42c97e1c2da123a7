import type { Operations, Output } from '../../../../contract/index.ts';
import { Fault } from '../../../../contract/index.ts';
import { formatDay } from '../../format.ts';
import { readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderCrumbs } from '../form-page.ts';
import { renderHint } from '../hints.ts';
import { attempt } from '../refusals.ts';
import { renderEmpty, renderNote, renderProblem } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { forAccounts } from './access.ts';
import { renderEmailSwitch } from './email-switch.ts';
import { filterIdOf, filterPath } from './filter-path.ts';
import { describeRules, formatMatches } from './filter-words.ts';
import { renderMatches } from './matches.ts';
import { renderSessions } from './sessions.ts';
import { renderMissing, renderUnknown } from './symbols.ts';

type Filter = Output<Operations['readScreenerAlert']>;
type Matches = Output<Operations['listScreenerMatches']>;

const PAGE_SIZE = 50;

/** One filter: its matches by session, what is new, and what can be done with it. */
export const filterPage: ConsoleRoute = { path: '/screener/:id', get: forAccounts(showFilter) };

/** What the address of the page chooses. */
interface Choices {
  readonly session?: string;
  readonly new?: string;
  readonly cursor?: string;
}

async function showFilter(visit: ConsoleVisit): Promise<ConsolePage> {
  const { visitor, query } = visit;
  const params = { alert_id: filterIdOf(visit) };
  const filter = await visitor.call('readScreenerAlert', { params });
  const choices = readChoices(query);
  const before = readField(query, 'sessions');
  const list = await attempt(() =>
    visitor.call('listScreenerSessions', { params, query: before === undefined ? {} : { cursor: before } }),
  );
  const matches = await attempt(() =>
    visitor.call('listScreenerMatches', { params, query: { limit: PAGE_SIZE, ...choices } }),
  );
  const fault = [list, matches].find((result) => result instanceof Fault);
  const path = filterPath(filter.id);
  return {
    title: filter.name,
    section: 'screener',
    script: 'screener',
    status: fault?.status ?? 200,
    failed: fault !== undefined,
    body: html`${renderCrumbs([{ href: '/screener', label: 'Screener' }])}
${renderHead(filter)}
${renderUnknown(filter.unknown_symbols ?? [])}
${renderHint(visit, 'screener-filter', HINT)}
<div class="aside filter-page">
<section class="card stack" aria-labelledby="matches"><h2 id="matches">Matches${renderMeaning('match')}</h2>
${matches instanceof Fault ? renderProblem(matches, { retry: path, level: 3, steps: [{ href: path, label: 'Show the latest session' }] }) : renderFound(filter, matches, choices)}</section>
${!(list instanceof Fault) && renderSessions(path, list, { shown: matches instanceof Fault ? null : matches.session, isLater: before !== undefined })}
</div>`,
  };
}

const HINT: Html = html`The list of sessions shows how the filter did on earlier days. A change of the filter counts from the next session on; earlier matches stay as they were.`;

function readChoices(query: ConsoleVisit['query']): Choices {
  const names = ['session', 'new', 'cursor'] as const;
  const given = names.map((name) => [name, readField(query, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''));
}

function renderHead(filter: Filter): Html {
  const path = filterPath(filter.id);
  return html`<div class="page-head">
<div><p class="eyebrow">${filter.email ? 'Emails on' : 'Emails off'}</p><h1>${filter.name}</h1>
<p class="lead">${describeRules(filter)}</p></div>
<div class="actions"><a class="button" href="${path}/edit">Change</a>${renderEmailSwitch(filter, 'filter')}<a class="button quiet" href="${path}/delete">Delete</a></div>
</div>`;
}

function renderFound(filter: Filter, found: Matches, choices: Choices): Html {
  const { session, run, evaluated, total, new_total: newTotal, matches, next_cursor: next } = found;
  const path = filterPath(filter.id);
  if (session === null) {
    return renderEmpty({
      title: 'No session has been evaluated yet',
      text: 'The first matches appear after the next close of the exchange.',
      level: 3,
    });
  }
  const day = html`<time datetime="${session}">${formatDay(new Date(session))}</time>`;
  if (!evaluated) return renderNotEvaluated(found, path, day);
  const of = (more: Choices): string =>
    addressOf(path, { ...(choices.session && { session: choices.session }), ...more });
  const isNew = choices.new === 'true';
  return html`<div class="card-head"><p><strong>${formatMatches(total, newTotal)}</strong> at the close of ${day}.</p>
${
  newTotal > 0 &&
  newTotal < total &&
  html`<nav class="segments" aria-label="Which matches"><a href="${of({})}"${!isNew && html` aria-current="true"`}>All</a><a href="${of({ new: 'true' })}"${isNew && html` aria-current="true"`}>Only new</a></nav>`
}</div>
${matches.length === 0 ? renderNone(isNew, total) : renderMatches(matches, `Matches of ${filter.name}`)}
${renderMissing((run?.missing ?? []).filter((symbol) => !filter.unknown_symbols?.includes(symbol)))}
${
  (choices.cursor !== undefined || next !== null) &&
  html`<nav class="pagination" aria-label="Pages of the matches">${
    choices.cursor === undefined
      ? html`<span></span>`
      : html`<a class="button quiet" href="${of(isNew ? { new: 'true' } : {})}">Back to the first page</a>`
  }${next !== null && html`<a class="button quiet" rel="next" href="${of({ ...(isNew && { new: 'true' }), cursor: next })}">Next page</a>`}</nav>`
}`;
}

function renderNone(isNew: boolean, total: number): Html {
  return renderNote(
    'info',
    isNew && total > 0
      ? 'None of the matches is new: the filter matched all of them in the session before.'
      : 'No symbol met the conditions in this session.',
  );
}

function renderNotEvaluated({ run }: Matches, path: string, day: Html): Html {
  const reason =
    run === null
      ? html`The session of ${day} was not evaluated, or its results are no longer kept.`
      : run.state === 'completed'
        ? html`The filter was saved after the session of ${day} was evaluated.`
        : run.state === 'missed'
          ? html`No close of ${day} arrived in time, so nothing was evaluated.`
          : html`The session of ${day} is being evaluated; some closes have not arrived yet.`;
  return html`${renderEmpty({
    title: 'No result for this session',
    text: html`${reason} The next matches appear after the next close of the exchange; the preview shows what would match in the latest session.`,
    steps: [{ href: `${path}/edit`, label: 'See the preview' }],
    level: 3,
  })}${run !== null && run.state !== 'completed' && renderMissing(run.missing)}`;
}

function addressOf(path: string, choices: Choices): string {
  const params = new URLSearchParams({ ...choices }).toString();
  return params === '' ? path : `${path}?${params}`;
}
