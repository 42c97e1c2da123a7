import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SourceReference, Visibility } from '../../../src/contract/index.ts';
import type { Prediction } from '../../../src/engine/index.ts';
import { measureOutcome, scoreOutcome } from '../../../src/forecasts/outcomes/score-outcome.ts';
import { type Executor, newId, systemClock } from '../../../src/platform/index.ts';
import { contentId } from '../../../src/provenance/index.ts';
import { freeze } from '../../../src/snapshots/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';

export interface ScoredForecastFields {
  /** The id of an account. */
  readonly owner: string;
  readonly workspace_id?: string | null;
  readonly visibility?: Visibility;
  /** Null: the rows were sent with the request. */
  readonly source?: SourceReference | null;
  readonly horizon?: number;
  readonly quantiles?: readonly number[];
  /** Toto states only quantiles from 0.1 to 0.9. */
  readonly models?: readonly string[];
  readonly created_at?: Date;
  /** How many of the first steps existed when the forecast was made. */
  readonly replayed?: number;
  readonly reproduces?: string | null;
  readonly content_cid?: string;
  readonly first_outcome_at?: Date;
  /** With `partial`, the outcome has rows and metrics, but no scores. */
  readonly status?: 'complete' | 'partial';
  readonly completed_at?: Date;
  /** Determines the numbers. */
  readonly seed?: number;
}

/** The rows of all forecasts. */
const ROWS = { about: {}, table: { timestamps: Float64Array.of(0, 1), columns: { value: Float64Array.of(3, 4) } } };

const MARKET: SourceReference = { type: 'market', symbol: '^GSPC', timeframe: '1D' };

/** Returns generated quantiles and values, some of which are equal. */
function generate({
  horizon,
  quantiles,
  models,
  seed,
}: Required<Pick<ScoredForecastFields, 'horizon' | 'quantiles' | 'models' | 'seed'>>) {
  const random = createSeededRandom(seed);
  const draw = () => (random() < 0.25 ? Math.round(4 * random()) : 12 * random() - 2);
  const start = Date.UTC(2026, 0, 5);
  const drawRow = (levels: readonly number[]) => {
    const values = Float64Array.from(levels, draw).sort();
    return Object.fromEntries(levels.map((level, i) => [String(level), values[i] as number]));
  };
  const predict = (levels: readonly number[]): Prediction[] =>
    Array.from({ length: horizon }, (_, i) => ({
      timestamp: new Date(start + i * 86_400_000).toISOString(),
      quantiles: drawRow(levels),
    }));
  const members = models.map((model) => {
    const levels = model === 'toto' ? quantiles.filter((level) => level >= 0.1 && level <= 0.9) : quantiles;
    return { model, status: 'completed' as const, reason: null, error: null, predictions: predict(levels) };
  });
  const predictions = predict(quantiles);
  return {
    result: { predictions, members },
    baseline: predict(quantiles).map((row) => row.quantiles),
    rows: predictions.map(({ timestamp }, i) => ({ step: i + 1, timestamp, actual: draw() })),
  };
}

/** Inserts a completed forecast of generated numbers with its outcome, without running either. Returns its id. */
export async function addScoredForecast(executor: Executor, fields: ScoredForecastFields): Promise<string> {
  const { owner, workspace_id = null, source = MARKET, horizon = 3, quantiles = [0.1, 0.25, 0.5, 0.75, 0.9] } = fields;
  const { models = ['ets', 'theta'], replayed = 0, status = 'complete', seed = 1, reproduces = null } = fields;
  const { created_at = new Date('2026-01-04T00:00:00Z'), completed_at = new Date('2026-03-01T00:00:00Z') } = fields;
  const { visibility = workspace_id === null ? 'private' : 'workspace' } = fields;
  const { result, baseline, rows } = generate({ horizon, quantiles, models, seed });
  const scored = rows.filter(({ step }) => step > replayed);
  const outcome = { result, baseline };
  const scores = status === 'complete' && scored.length > 0 ? scoreOutcome(outcome, scored) : null;
  const db = executor.query();
  const id = newId('ef');
  const cadence = { frequency: '1D', kind: 'plain' };
  const settings = { cadence, horizon, quantiles, models, source, cutoff: null };
  const stored = { ...result, historical_validation: { metrics: null }, season: 1 };
  const snapshot = await freeze({ database: executor, clock: systemClock }, ROWS);
  await sql`
    INSERT INTO forecast
      (id, slug, owner, payer, account_id, workspace_id, visibility, status, request, settings, snapshot_id, checkpoints,
      reproduces, credits, job_id, result, content_cid, created_at, finished_at)
    VALUES
      (${id}, ${id}, ${owner}, ${owner}, ${owner}, ${workspace_id}, ${visibility}, 'completed', '{}',
      ${JSON.stringify(settings)}::json, ${snapshot.id}, '{}', ${reproduces}, 1, ${randomUUID()},
      ${JSON.stringify(stored)}::json, ${fields.content_cid ?? contentId({ id })}, ${created_at}, ${created_at})`.execute(
    db,
  );
  await sql`
    INSERT INTO forecast_outcome
      (forecast_id, status, replayed_steps, baseline, metrics, scores, first_outcome_at, completed_at)
    VALUES
      (${id}, ${status}, ${replayed}, ${JSON.stringify(baseline)}::json,
      ${JSON.stringify(measureOutcome(outcome, scored))}::json, ${scores && JSON.stringify(scores)}::json,
      ${fields.first_outcome_at ?? new Date('2026-01-06T00:00:00Z')}, ${status === 'complete' ? completed_at : null})
    `.execute(db);
  const columns = [
    rows.map(({ step }) => step),
    rows.map(({ timestamp }) => timestamp),
    rows.map(({ actual }) => actual),
  ];
  await sql`
    INSERT INTO forecast_outcome_row (forecast_id, step, timestamp, actual, replayed, recorded_at)
    SELECT ${id}, step, timestamp, actual, step <= ${replayed}, now()
    FROM unnest(${columns[0]}::integer[], ${columns[1]}::timestamptz[], ${columns[2]}::double precision[])
      AS given (step, timestamp, actual)`.execute(db);
  return id;
}
