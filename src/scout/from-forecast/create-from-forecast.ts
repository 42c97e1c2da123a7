import { type Account, decideCaller } from '../../access/index.ts';
import { barEnd } from '../../calendar/index.ts';
import { Fault } from '../../contract/index.ts';
import { type ForecastRow, findForecast } from '../../forecasts/index.ts';
import { slugOf } from '../../platform/index.ts';
import { readSnapshot, type Snapshot } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import { latestDeadline } from '../events/check-times.ts';
import { insertEvents, type NewEvent } from '../events/insert-events.ts';
import { keepPlace, type PlaceOfEvent, placeFor } from '../events/place-for.ts';
import { ruleFor } from '../rules/accept-rule.ts';
import { periodOf } from '../rules/observed-period.ts';
import type { EventRow } from '../tables.ts';
import { type ChosenQuestion, chooseQuestions, type FromForecastRequest } from './choose-questions.ts';
import { pricesIn } from './prices-in.ts';
import { readProbability } from './read-probability.ts';
import { ruleSource } from './rule-source.ts';
import { headlineOf, questionOf, type Subject, subjectOf } from './words.ts';

/** What the probability of a question from a forecast is said to be made by. */
export const ENSEMBLE = 'almanac_ensemble';

/** Between the end of what is asked about and the deadline. */
const GRACE_MS = 7 * 86_400_000;

/** Turns a completed forecast into questions about thresholds, one for each and each step: all of them, or none. */
export async function createFromForecast(
  context: ScoutContext,
  principal: Account,
  body: FromForecastRequest,
): Promise<EventRow[]> {
  refuseWithoutScope(principal);
  const { database, clock } = context;
  const forecast = await findForecast(context, principal, body.forecast_id, 'forecast.read');
  const place = await placeFor(database, principal, body);
  if (forecast.result === null) {
    throw new Fault('NOT_COMPLETED', `The forecast is ${forecast.status}; only a completed one has probabilities.`);
  }
  const snapshot = await readSnapshot(context, forecast.snapshot_id);
  if (snapshot === null) throw new Error(`The snapshot of the forecast ${forecast.id} is gone.`);
  const { settings, title } = forecast;
  const now = clock.now();
  const last = lastRow(snapshot);
  const chosen = chooseQuestions(body, forecast.result.predictions.length, last.value);
  const subject = subjectOf(settings.source, (snapshot.about.title as string | undefined) ?? title);
  const source = await ruleSource(context, principal, settings.source, place);
  const inputCutoffAt = new Date(Math.min(barEnd(settings.cadence, last.timestamp), forecast.created_at.getTime()));
  const prices = pricesIn(snapshot, settings.source);
  const about = { body, forecast, place, subject, source, inputCutoffAt, prices, authorId: principal.accountId };
  const events = chosen.map((question) => eventOf(about, question, now));
  const stored = await database.transaction(async (tx) => {
    await keepPlace(tx, principal, place);
    return insertEvents(tx, events, now);
  });
  const bySlug = new Map(stored.map((row) => [row.slug, row]));
  return events.map(({ slug }) => bySlug.get(slug) as EventRow);
}

interface About {
  readonly body: FromForecastRequest;
  readonly forecast: ForecastRow;
  readonly place: PlaceOfEvent;
  readonly subject: Subject;
  readonly source: Awaited<ReturnType<typeof ruleSource>>;
  readonly inputCutoffAt: Date;
  /** The rows of the forecast, where they are prices. */
  readonly prices: Float64Array | null;
  readonly authorId: string;
}

function eventOf(about: About, { step, threshold }: ChosenQuestion, now: Date): NewEvent {
  const { body, forecast, place, subject, source, inputCutoffAt, authorId } = about;
  const { op } = body;
  const { cadence } = forecast.settings;
  const prediction = forecast.result?.predictions[step - 1];
  if (prediction === undefined) throw new Error(`The forecast ${forecast.id} has no step ${step}.`);
  const { quantiles } = prediction;
  const timestamp = Date.parse(prediction.timestamp);
  const period = periodOf(cadence, timestamp);
  const deadline = new Date(period.until + GRACE_MS);
  refuseTimes(step, { until: period.knownFrom, deadline }, now);
  const past = about.prices && { values: about.prices, steps: step };
  const { probability, ...reading } = readProbability(quantiles, op, threshold, past ?? undefined);
  const asked = { op, threshold, frequency: cadence.frequency, timestamp };
  return {
    slug: slugOf(questionOf(subject, asked).replace(/^Will /, ''), 'question'),
    authorId,
    ...place,
    category: body.category ?? subject.category,
    entity: body.entity ?? subject.entity,
    question: questionOf(subject, asked),
    headline: headlineOf(subject, asked),
    probability,
    inputCutoffAt,
    deadline,
    model: ENSEMBLE,
    rule: source && ruleFor({ type: 'threshold', source, op, threshold, settle_days: 0 }, period),
    observedUntil: new Date(period.knownFrom),
    origin: { forecast_id: forecast.id, step, timestamp: prediction.timestamp, op, threshold, ...reading, quantiles },
  };
}

/** A question whose answer is there already is no forecast, and nobody here resolves one in a hundred years. */
function refuseTimes(step: number, { until, deadline }: { until: number; deadline: Date }, now: Date): void {
  if (until <= now.getTime()) {
    throw new Fault(
      'UNPROCESSABLE',
      `steps: the period of step ${step} ended at ${new Date(until).toISOString()}, so its outcome is known. The command almanac scout replay is for the past.`,
    );
  }
  if (deadline > latestDeadline(now)) throw new Fault('UNPROCESSABLE', `steps: step ${step} lies too far ahead.`);
}

function lastRow({ table: { timestamps, columns } }: Snapshot): { timestamp: number; value: number } {
  const [values] = Object.values(columns);
  return { timestamp: timestamps.at(-1) ?? Number.NaN, value: values?.at(-1) ?? Number.NaN };
}

/** The edge has asked for the scope of events; reading the forecast takes another. */
function refuseWithoutScope(principal: Account): void {
  const decision = decideCaller(principal, 'forecast.read');
  if (decision.allowed) return;
  const { code, missingScope } = decision;
  const details = missingScope === undefined ? {} : { missingScope };
  throw new Fault(code, `forecast_id: reading a forecast takes the scope ${missingScope ?? ''}.`, details);
}
