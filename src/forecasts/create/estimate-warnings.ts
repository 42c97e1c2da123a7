import { countCompleted, futureTimestamps } from '../../calendar/index.ts';
import type { ForecastPreview } from '../../engine/index.ts';
import type { ForecastSettings } from '../tables.ts';

/** So many periods can be over before a source publishes their rows. */
const MAX_LATE_PERIODS = 3;

/** Returns what the caller should know about a forecast before it runs, each with a remedy. */
export function listWarnings(
  settings: ForecastSettings,
  preview: ForecastPreview,
  timestamps: Float64Array,
  now: Date,
): string[] {
  return [
    ...warnOfModels(settings),
    ...warnOfWeights(settings, preview, timestamps.length),
    ...warnOfRows(settings, preview),
    ...warnOfOldRows(settings, timestamps, now),
  ];
}

function warnOfModels({ mode, unavailableModels = [], models }: ForecastSettings): string[] {
  const [ensemble, remedy] =
    mode === 'fast' ? ['fast mode', 'Send the mode full'] : ['default ensemble', 'Name other models'];
  return unavailableModels.map(
    (model) =>
      `models: ${model} is unavailable on this service, so the ${ensemble} runs without it. ${remedy}, or continue with ${models.join(', ')}.`,
  );
}

function warnOfWeights(
  { mode, weightMode, models, horizon }: ForecastSettings,
  { canChooseWeights, calibrationHorizon, isValidated }: ForecastPreview,
  rows: number,
): string[] {
  const warnings: string[] = [];
  // The fast mode never scores the models on the past, however many rows there are.
  const isScored = weightMode === 'auto' && mode !== 'fast';
  if (isScored && !canChooseWeights) {
    const consequence =
      models.length === 1
        ? 'so the widths of its intervals are not adjusted to this series'
        : 'so the weights and the widths of the intervals are not adjusted to this series';
    warnings.push(
      `weight_mode: ${formatRows(rows)} too few to score the models on the past, ${consequence}. Send more rows.`,
    );
  }
  if (isScored && canChooseWeights && horizon > calibrationHorizon) {
    warnings.push(
      `horizon: the past scores at most ${calibrationHorizon} steps, so the weights and the widths of the intervals are extrapolated from step ${calibrationHorizon + 1} on. Send more rows or request at most ${calibrationHorizon} steps if these steps matter.`,
    );
  }
  if (!isValidated) {
    warnings.push(`source: ${formatRows(rows)} too few to measure the error on the past. Send more rows.`);
  }
  return warnings;
}

function warnOfRows({ fallbackUsed }: ForecastSettings, { gaps, periods }: ForecastPreview): string[] {
  const warnings: string[] = [];
  if (gaps > 0) {
    const missing = gaps === 1 ? 'one has no row' : `${gaps} have no row`;
    const remedy = gaps === 1 ? 'Send it if you have it' : 'Send them if you have them';
    warnings.push(
      `source: of ${periods} periods, ${missing}. ${remedy}; otherwise the models estimate ${gaps === 1 ? 'it' : 'them'}.`,
    );
  }
  if (fallbackUsed) {
    warnings.push(
      'source: a preferred provider failed, and another one supplied the rows. Try again later if you need those of the preferred one.',
    );
  }
  return warnings;
}

/** With a cutoff, the caller has chosen where the rows end. */
function warnOfOldRows({ cadence, horizon, cutoff }: ForecastSettings, timestamps: Float64Array, now: Date): string[] {
  const last = timestamps.at(-1);
  if (cutoff !== null || last === undefined) return [];
  const over = countCompleted(cadence, futureTimestamps(cadence, last, horizon), now.getTime());
  if (over === 0 || (over <= MAX_LATE_PERIODS && over < horizon)) return [];
  const predicted = over === horizon ? `all ${horizon} predicted periods` : `${over} of ${horizon} predicted periods`;
  return [
    `source: the last row is of ${new Date(last).toISOString()}, so ${predicted} are already over. Send newer rows or choose a series that still has new ones.`,
  ];
}

function formatRows(rows: number): string {
  return rows === 1 ? '1 row is' : `${rows} rows are`;
}
