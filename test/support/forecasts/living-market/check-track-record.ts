import type { FinalOutcome } from './check-outcomes.ts';
import { type CsvRow, isNear, readCsv } from './second-scores.ts';
import { recomputeTrackRecord, type SecondRecord } from './second-track-record.ts';
import type { Forecaster } from './service.ts';

interface TrackRecordReply {
  readonly forecasts: number;
  readonly reported: number;
  readonly truncated: boolean;
  readonly ensemble: SecondRecord;
  readonly models: readonly (SecondRecord & { readonly model: string })[];
}

/** Which forecasts of the year a query selects. */
interface Selection {
  readonly query: string;
  readonly selects: (final: FinalOutcome) => boolean;
}

const MIDDLE = '2025-07-01T00:00:00Z';

const SELECTIONS: readonly Selection[] = [
  { query: '', selects: () => true },
  { query: 'model=theta', selects: ({ forecast }) => modelsOf(forecast).includes('theta') },
  { query: 'source=CORR', selects: ({ forecast }) => forecast.planned.series === 'CORR' },
  { query: 'source=economic_series&mine=true', selects: ({ forecast }) => isEconomic(forecast) },
  { query: 'horizon=10', selects: ({ forecast }) => forecast.planned.body.horizon === 10 },
  { query: `from=${MIDDLE}`, selects: ({ forecast }) => forecast.planned.at >= Date.parse(MIDDLE) },
  { query: `to=${MIDDLE}`, selects: ({ forecast }) => forecast.planned.at < Date.parse(MIDDLE) },
  // Nothing is stamped in this year.
  { query: 'stamped=true', selects: () => false },
];

function modelsOf({ planned }: FinalOutcome['forecast']): readonly string[] {
  return planned.body.models as readonly string[];
}

function isEconomic({ planned }: FinalOutcome['forecast']): boolean {
  return planned.series === 'PRICES' || planned.series === 'CLAIMS' || planned.series === 'RATE';
}

/**
 * Compares the track record of an account with a second computation from its CSV file, which must have the scored rows of
 * the outcomes that count and no others. Adds what is wrong.
 *
 * @param count how many of the selections to check, from the first on
 */
export async function checkTrackRecord(
  forecaster: Forecaster,
  finals: readonly FinalOutcome[],
  violations: string[],
  count = SELECTIONS.length,
): Promise<void> {
  const counted = finals.filter(
    ({ forecast, outcome, scored }) =>
      outcome.status === 'complete' &&
      scored > 0 &&
      forecast.planned.reproduces === null &&
      // What another account sent as the outcome of a public forecast does not count.
      (forecast.forecaster === forecaster ||
        (forecast.planned.body.visibility === 'public' && forecast.planned.arrival === 'collected')),
  );
  for (const { query, selects } of SELECTIONS.slice(0, count)) {
    const complain = (what: string) => violations.push(`track record ?${query}: ${what}`);
    const isOwn = (final: FinalOutcome) => !query.includes('mine') || final.forecast.forecaster === forecaster;
    const expected = counted.filter((final) => selects(final) && isOwn(final));
    const path = `/v1/forecast/track-record?${query}`;
    const { data, status, body } = await forecaster.request<TrackRecordReply>('GET', path);
    if (status !== 200) complain(`it was answered ${status}: ${body}`);
    const lines = readCsv(await forecaster.readText(`${path}&format=csv`));
    checkLines(lines, expected, complain);
    checkBaseline(lines, complain);
    const reported = expected.filter(({ forecast }) => forecast.planned.arrival === 'reported').length;
    const counts = [data.forecasts, data.reported, data.truncated];
    if (String(counts) !== String([expected.length, reported, false])) {
      complain(`${counts.join(', ')} and not ${expected.length}, ${reported}`);
    }
    const second = recomputeTrackRecord(lines);
    const shown = [...data.models, ...(data.forecasts > 0 ? [{ model: 'ensemble', ...data.ensemble }] : [])];
    const names = (list: Iterable<string>) => [...list].sort().join(' ');
    if (names(second.keys()) !== names(shown.map(({ model }) => model))) complain(`models ${names(second.keys())}`);
    for (const { model, ...record } of shown) compare(record, second.get(model), model, complain);
  }
}

/** Checks that the lines of the ensemble are the scored rows of the outcomes, each once. */
function checkLines(lines: readonly CsvRow[], finals: readonly FinalOutcome[], complain: (what: string) => void): void {
  const listed = lines
    .filter(({ model }) => model === 'ensemble')
    .map(({ forecast_id, step, actual }) => `${forecast_id} ${step} ${Number(actual)}`);
  const expected = finals.flatMap(({ forecast, rows }) =>
    rows
      .filter(({ replayed }) => replayed !== 'true')
      .map(({ step, actual }) => `${forecast.id} ${step} ${Number(actual)}`),
  );
  if (new Set(listed).size !== listed.length) complain('a row counts twice');
  const [listedSet, expectedSet] = [new Set(listed), new Set(expected)];
  const missing = expected.filter((row) => !listedSet.has(row));
  const surplus = listed.filter((row) => !expectedSet.has(row));
  if (missing.length > 0) complain(`${missing.length} scored rows are missing: ${missing[0]}`);
  if (surplus.length > 0) complain(`${surplus.length} rows must not count: ${surplus[0]}`);
}

/** Checks that the baseline is what the model seasonal_naive forecast, where it is a member of the ensemble. */
function checkBaseline(lines: readonly CsvRow[], complain: (what: string) => void): void {
  const valuesOf = ({ forecast_id, step, model: _, ...values }: CsvRow) => [
    `${forecast_id} ${step}`,
    JSON.stringify(values),
  ];
  const named = (name: string) =>
    new Map(lines.filter(({ model }) => model === name).map((line) => valuesOf(line) as [string, string]));
  const baseline = named('seasonal_naive_baseline');
  for (const [key, values] of named('seasonal_naive')) {
    if (baseline.get(key) !== values) complain(`the baseline of ${key} is not the seasonal naive forecast`);
  }
}

/** Compares every figure of the second record with the one that the API shows. */
function compare(shown: unknown, second: unknown, path: string, complain: (what: string) => void): void {
  if (typeof second === 'object' && second !== null) {
    const length = Array.isArray(second) ? second.length : undefined;
    if (Array.isArray(shown) && shown.length !== length) complain(`${path} has ${shown.length} and not ${length}`);
    for (const [name, value] of Object.entries(second)) {
      compare((shown as Record<string, unknown> | undefined)?.[name], value, `${path}.${name}`, complain);
    }
    return;
  }
  const isSame = typeof second === 'number' ? isNear(shown as number, second, 1e-8) : shown === second;
  if (!isSame) complain(`${path} is ${shown} and not ${second}`);
}
