import { type Account, decideCaller } from '../../access/index.ts';
import { barEnd, DAY_MS, periodOf } from '../../calendar/index.ts';
import { Fault, type SourceReference } from '../../contract/index.ts';
import { type ForecastRow, findForecast } from '../../forecasts/index.ts';
import { slugOf } from '../../platform/index.ts';
import { readSnapshot, type Snapshot } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import { canShowSource, type EventAudience, lockAudience, requireAudience } from '../events/event-audience.ts';
import { latestDeadline, MAX_DEADLINE_YEARS } from '../events/event-times.ts';
import { insertEvents, type NewEvent } from '../events/store-events.ts';
import { forecastNotCompleted, forecastScopeRequired, stepPeriodEnded, stepTooFar } from '../faults.ts';
import { buildRule } from '../rules/accept-rule.ts';
import type { EventRow, Origin } from '../tables.ts';
import { type ChosenQuestion, chooseQuestions, type FromForecastRequest } from './choose-questions.ts';
import { describeSubject, formatHeadline, formatQuestion, type Subject } from './question-text.ts';
import { readProbability, selectPrices } from './read-probability.ts';

/** The `model` of every question that is created from a forecast. */
export const ENSEMBLE_MODEL = 'almanac_ensemble';

/** The time from the end of the observed period to the deadline. */
const DEADLINE_GRACE_MS = 7 * DAY_MS;

/** Creates one question for each threshold and step of a completed forecast: either all of them or none. */
export async function createFromForecast(
  context: ScoutContext,
  principal: Account,
  body: FromForecastRequest,
): Promise<EventRow[]> {
  const now = context.clock.now();
  const { events, audience } = await prepareQuestions(context, principal, body, now);
  const stored = await context.database.transaction(async (tx) => {
    await lockAudience(tx, principal, audience);
    return insertEvents(tx, events, { stamps: context.stamps, now });
  });
  const bySlug = new Map(stored.map((row) => [row.slug, row]));
  return events.map(({ slug }) => bySlug.get(slug) as EventRow);
}

/** A question from a forecast that is ready to be stored. */
export interface PreparedQuestion extends NewEvent {
  readonly origin: Origin;
}

export interface PreparedQuestions {
  readonly forecastId: string;
  /** The last observed value. */
  readonly last: number;
  readonly events: readonly PreparedQuestion[];
  readonly audience: EventAudience;
}

/** Returns the questions that a request describes, if the caller may create them. Stores nothing. */
export async function prepareQuestions(
  context: ScoutContext,
  principal: Account,
  body: FromForecastRequest,
  now: Date,
): Promise<PreparedQuestions> {
  requireForecastScope(principal);
  const { database } = context;
  const forecast = await findForecast(context, principal, body.forecast_id, 'forecast.read');
  const audience = await requireAudience(database, principal, body);
  if (forecast.result === null) throw forecastNotCompleted(forecast.status);
  const snapshot = await readSnapshot(context, forecast.snapshot_id);
  if (snapshot === null) throw new Error(`The forecast ${forecast.id} has lost its snapshot.`);
  const { settings, title } = forecast;
  const last = lastRow(snapshot);
  const chosen = chooseQuestions(body, forecast.result.predictions.length, last.value);
  const subject = describeSubject(settings.source, (snapshot.about.title as string | undefined) ?? title);
  const source = await findRuleSource(context, principal, settings.source, audience);
  const inputCutoffAt = findInputCutoff(forecast, barEnd(settings.cadence, last.timestamp));
  const prices = selectPrices(snapshot, settings.source);
  const shared = { body, forecast, audience, subject, source, inputCutoffAt, prices, authorId: principal.accountId };
  const events = chosen.map((question) => buildEvent(shared, question, now));
  return { forecastId: forecast.id, last: last.value, events, audience };
}

/** The fields that all questions of one request share. */
interface SharedFields {
  readonly body: FromForecastRequest;
  readonly forecast: ForecastRow;
  readonly audience: EventAudience;
  readonly subject: Subject;
  readonly source: SourceReference | null;
  readonly inputCutoffAt: Date;
  /** The values of the forecast's rows; null if they are not prices. */
  readonly prices: Float64Array | null;
  readonly authorId: string;
}

function buildEvent(shared: SharedFields, { step, threshold }: ChosenQuestion, now: Date): PreparedQuestion {
  const { body, forecast, audience, subject, source, inputCutoffAt, prices, authorId } = shared;
  const { op } = body;
  const { cadence } = forecast.settings;
  const prediction = forecast.result?.predictions[step - 1];
  if (prediction === undefined) throw new Error(`The forecast ${forecast.id} has no step ${step}.`);
  const { quantiles } = prediction;
  const timestamp = Date.parse(prediction.timestamp);
  const period = periodOf(cadence, timestamp);
  const deadline = new Date(period.until + DEADLINE_GRACE_MS);
  // A question whose outcome is known is not a forecast.
  if (period.knownFrom <= now.getTime()) throw stepPeriodEnded(step, new Date(period.knownFrom));
  if (deadline > latestDeadline(now)) throw stepTooFar(step, MAX_DEADLINE_YEARS);
  const past = prices && { values: prices, steps: step };
  const { probability, ...reading } = readProbability(quantiles, op, threshold, past ?? undefined);
  const terms = { op, threshold, frequency: cadence.frequency, timestamp };
  return {
    slug: slugOf(formatQuestion(subject, terms).replace(/^Will /, ''), 'question'),
    authorId,
    ...audience,
    category: body.category ?? subject.category,
    entity: body.entity ?? subject.entity,
    question: formatQuestion(subject, terms),
    headline: formatHeadline(subject, terms),
    probability,
    inputCutoffAt,
    deadline,
    model: ENSEMBLE_MODEL,
    rule: source && buildRule({ type: 'threshold', source, op, threshold, settle_days: 0 }, period),
    observedUntil: new Date(period.knownFrom),
    origin: { forecast_id: forecast.id, step, timestamp: prediction.timestamp, op, threshold, ...reading, quantiles },
  };
}

function lastRow({ table: { timestamps, columns } }: Snapshot): { timestamp: number; value: number } {
  const [values] = Object.values(columns);
  return { timestamp: timestamps.at(-1) ?? Number.NaN, value: values?.at(-1) ?? Number.NaN };
}

/**
 * Returns the instant by which everything that the forecast used was known. Published series are revised, so it is when
 * the rows were read, unless they were read as they were known at the cutoff.
 */
function findInputCutoff({ settings, created_at: createdAt }: ForecastRow, lastRowEnd: number): Date {
  const isRevised = settings.source?.type === 'economic_series' && settings.source.provider !== 'bundled';
  if (!isRevised) return new Date(Math.min(lastRowEnd, createdAt.getTime()));
  return settings.asKnownAtCutoff && settings.cutoff !== null ? new Date(settings.cutoff) : createdAt;
}

/** Checks the scope for reading the forecast. The API has checked only the scope for creating events. */
function requireForecastScope(principal: Account): void {
  const decision = decideCaller(principal, 'forecast.read');
  if (!decision.allowed) throw forecastScopeRequired(decision.code, decision.missingScope);
}

/**
 * Returns the source that resolves the questions of a forecast. Returns null if the rows were sent with the request, if
 * the caller may not read the source, or if its rows may not be shown to the audience; such questions are resolved by
 * hand.
 */
export async function findRuleSource(
  { sources }: Pick<ScoutContext, 'sources'>,
  principal: Account,
  source: SourceReference | null,
  audience: EventAudience,
): Promise<SourceReference | null> {
  if (source === null || !canShowSource(source, audience)) return null;
  try {
    await sources.of(source).authorize(principal, source);
    return withLaterRows(source);
  } catch (error) {
    if (error instanceof Fault && (error.code === 'WORKSPACE_DENIED' || error.code === 'NOT_FOUND')) return null;
    throw error;
  }
}

/**
 * Returns a source that will have the rows of later periods. The vintage or the end of the source that the forecast used
 * leaves them out.
 */
function withLaterRows(source: SourceReference): SourceReference {
  if (source.type === 'economic_series') {
    const { vintage: _, ...current } = source;
    return current;
  }
  if (source.type !== 'warehouse_table') return source;
  const { end: _, ...open } = source;
  return open;
}
