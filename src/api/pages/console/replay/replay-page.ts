import { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Cost, describeUntested, explainRefusal } from '../new/cost.ts';
import { attempt } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import type { Visitor } from '../visitor.ts';
import { type Cutoffs, cutoffsOf } from './cutoffs.ts';
import { choiceOf, type FoundReplays, findReplays, identityOf, MAX_SHOWN } from './find-replays.ts';
import { readOriginalRows, readReplay } from './read-replays.ts';
import { renderComparison } from './render-comparison.ts';
import { renderMaker } from './render-maker.ts';
import { renderReplay } from './render-replay.ts';
import {
  canReplay,
  type Forecast,
  type ReplayableForecast,
  type ReplayChoice,
  replayKey,
  replayRequest,
} from './replay-request.ts';

/** Past cutoffs of a forecast, side by side with what came: GET shows them and the cost of another, POST makes one. */
export const replayPage: ConsoleRoute = {
  path: '/forecasts/:slug/replays',
  async get(visit) {
    const typed = readField(visit.query, 'cutoff');
    visit.visitor.lookAsGuest();
    return show(visit, { typed, isAsKnown: readField(visit.query, 'known') === 'on' });
  },
  async post(visit) {
    await visit.visitor.becomeGuest();
    return make(visit, {
      typed: readField(visit.form, 'cutoff') ?? '',
      isAsKnown: readField(visit.form, 'known') === 'on',
    });
  },
};

/** How often a browser without scripts looks for a replay that is running. Each look costs several requests. */
const REFRESH_SECONDS = 10;

/** What the visitor asked for, as it was typed. */
interface Asked {
  readonly typed: string | undefined;
  readonly isAsKnown: boolean;
}

async function readOriginal(visitor: Visitor, slug: string): Promise<Forecast> {
  return visitor.call('readForecast', { params: { forecast_id: slug } });
}

function refuse(forecast: Forecast): ConsolePage {
  const steps = [{ href: `/forecasts/${forecast.slug}`, label: 'Go back to the forecast' }];
  return {
    title: `Replays of ${forecast.name}`,
    section: 'forecasts',
    body: html`<div class="page-head"><div><h1>Replays of ${forecast.name}</h1></div></div>
${renderEmpty({ title: 'This forecast cannot be replayed', text: 'Its rows were sent with a request or come from a file, so they cannot be read again up to another day. Forecasts of markets, published series and tables can be replayed.', steps })}`,
  };
}

async function make(visit: ConsoleVisit, asked: Asked): Promise<ConsolePage | SeeOther> {
  const { visitor, params } = visit;
  const original = await readOriginal(visitor, params.slug ?? '');
  if (!canReplay(original)) return { ...refuse(original), status: 422, failed: true };
  const rows = await readOriginalRows(visitor, original);
  const cutoffs = cutoffsOf(original, lastOf(rows.rows));
  const choice = choose(asked, cutoffs, original);
  if ('error' in choice) return show(visit, asked, { status: 400 });
  const path = `/forecasts/${original.slug}/replays`;
  const found = await findReplays(visitor, original, [choice.cutoff]);
  if (isMade(found, choice)) return new SeeOther(path);
  const body = replayRequest(original, choice, nameReplay(original, cutoffs.describe(choice.cutoff).when));
  const idempotencyKey = replayKey(body, found.failures.get(identityOf(choice)) ?? 0);
  const created = await attempt(() => visitor.call('createForecast', { body, idempotencyKey }));
  if (created instanceof Fault) return show(visit, asked, { status: created.status, refusal: created });
  return new SeeOther(path);
}

function nameReplay({ name }: Forecast, until: string): string {
  const note = ` (replay from ${until})`;
  return `${name.slice(0, 200 - note.length)}${note}`;
}

function isMade({ replays }: FoundReplays, choice: ReplayChoice): boolean {
  return replays.some((replay) => replay.status !== 'failed' && identityOf(choiceOf(replay)) === identityOf(choice));
}

function lastOf(rows: readonly { readonly timestamp: string }[]): number {
  return Date.parse(rows.at(-1)?.timestamp ?? '');
}

function choose(
  { typed = '', isAsKnown }: Asked,
  cutoffs: Cutoffs,
  original: Forecast,
): ReplayChoice | { error: string } {
  const read = cutoffs.read(typed);
  return 'error' in read
    ? read
    : { cutoff: read.cutoff, isAsKnown: isAsKnown || original.settings.as_known_at_cutoff === true };
}

interface Refused {
  readonly status: number;
  readonly refusal?: Fault;
}

async function show(visit: ConsoleVisit, asked: Asked, refused?: Refused): Promise<ConsolePage> {
  const { visitor, params } = visit;
  const original = await readOriginal(visitor, params.slug ?? '');
  if (!canReplay(original)) return refuse(original);
  const rows = await readOriginalRows(visitor, original);
  const cutoffs = cutoffsOf(original, lastOf(rows.rows));
  const days = [...(asked.typed === undefined ? [] : [asked.typed]), ...cutoffs.suggested.map(String)];
  const found = await findReplays(
    visitor,
    original,
    days.flatMap((text) => cutoffOf(cutoffs.read(text))),
  );
  const typed = asked.typed ?? suggest(found, cutoffs, original);
  const choice = choose({ ...asked, typed }, cutoffs, original);
  const errors: FieldErrors = 'error' in choice ? { cutoff: choice.error } : {};
  const wanted = 'error' in choice ? null : choice;
  const isOwned = wanted !== null && isMade(found, wanted);
  const cost = wanted === null || isOwned ? null : await readReplayCost(visitor, original, wanted, refused?.refusal);
  const all = [];
  const replays = chooseShown(found, wanted);
  for (const forecast of [original, ...replays]) all.push(await readReplay(visitor, forecast, rows));
  const isRunning = replays.some(({ status }) => status === 'queued' || status === 'running');
  const isCut = found.isCut || found.replays.length > replays.length;
  const known = cutoffs.describe(new Date(cutoffs.end).toISOString());
  const shown = all.map((replay, index) => ({
    replay,
    id: `replay-${index}`,
    units: rows.units,
    heading: index === 0 ? 'This forecast' : cutoffs.describe(choiceOf(replay.forecast).cutoff).when,
    note:
      index === 0
        ? `knew the rows ${known.word} ${known.when}`
        : `${cutoffs.countDays(choiceOf(replay.forecast).cutoff)} days earlier`,
  }));
  return {
    title: `Replays of ${original.name}`,
    section: 'forecasts',
    script: 'new',
    ...(isRunning && { refreshSeconds: REFRESH_SECONDS }),
    ...(refused && { status: refused.status, failed: true }),
    body: html`<div class="page-head"><div>
<p class="eyebrow"><a class="tap" href="/forecasts/${original.slug}">${original.name}</a></p>
<h1>What would it have said earlier?</h1>
<p class="soft">A replay hides the rows after a past day, forecasts from there with the same settings and shows what came. Each is a private forecast of yours.</p>
</div></div>
<div class="aside replays"><div class="flow">
${renderComparison(shown)}
${replays.length === 0 && renderEmpty({ title: 'No replay yet', text: 'Make one to see how this forecast would have done earlier.' })}
<div class="grid two">${shown.map(renderReplay)}</div>
${isCut && html`<p class="soft">There are more replays. <a class="tap" href="/forecasts">My forecasts</a> lists all of them.</p>`}
</div>
${renderMaker({ visitor, original, cutoffs, typed, choice: wanted, isMade: isOwned, cost, errors: { ...errors, ...cost?.errors } })}
</div>`,
  };
}

function cutoffOf(read: ReturnType<Cutoffs['read']>): string[] {
  return 'cutoff' in read ? [read.cutoff] : [];
}

/** Returns the replays that the page shows: the first ones and that which the visitor asked for. */
function chooseShown({ replays }: FoundReplays, wanted: ReplayChoice | null): Forecast[] {
  const identity = wanted && identityOf(wanted);
  return replays.filter((replay, index) => index < MAX_SHOWN || identityOf(choiceOf(replay)) === identity);
}

/** Returns the first suggested cutoff of which the visitor has no replay. */
function suggest(found: FoundReplays, cutoffs: Cutoffs, original: Forecast): string {
  const days = cutoffs.suggested.map(String);
  const isMissing = (typed: string): boolean => {
    const choice = choose({ typed, isAsKnown: false }, cutoffs, original);
    return !('error' in choice) && !isMade(found, choice);
  };
  return days.find(isMissing) ?? days[0] ?? '';
}

async function readReplayCost(
  visitor: Visitor,
  original: ReplayableForecast,
  choice: ReplayChoice,
  refusal: Fault | undefined,
): Promise<Cost> {
  if (refusal !== undefined) return explainRefusal(visitor, refusal);
  const body = replayRequest(original, choice, original.name);
  const estimate = await attempt(() => visitor.call('estimateForecast', { body }));
  return estimate instanceof Fault
    ? explainRefusal(visitor, estimate)
    : { estimate, untested: describeUntested(body), problem: null, errors: {}, busy: [] };
}
