import { judgeCoverage } from './coverage.ts';
import type { ForecastWords, Metrics, WordedForecast } from './forecast-words.ts';
import { formatCount, formatShare } from './format.ts';
import { nameModel } from './model-names.ts';

/** What the test of a forecast on its own past showed. */
export interface Audit {
  /** The result in one sentence; null if no row could be scored. */
  readonly headline: string | null;
  /** What the headline leaves open. */
  readonly details: readonly string[];
  readonly warnings: readonly Warning[];
  readonly verdict: 'better' | 'equal' | 'worse' | 'none';
}

/** A reason to trust a forecast less. */
export interface Warning {
  readonly title: string;
  readonly text: string;
}

/** An audit of fewer rows is called short. */
const MIN_ROWS = 12;
/** A smaller difference is called none. */
export const MIN_DIFFERENCE = 0.005;

/** Returns the audit of a completed forecast in words. */
export function describeAudit(view: ForecastWords): Audit {
  const { weighting, historical_validation: validation } = view.forecast;
  const metrics = weighting?.audit_metrics ?? validation?.metrics ?? null;
  const warnings = findWarnings(view, metrics);
  if (metrics === null || metrics.count === 0) {
    const details = ['The series is too short to hold rows back, so nothing is known about how good this forecast is.'];
    return { headline: null, details, warnings, verdict: 'none' };
  }
  const gain = gainOf(view);
  const coverage = coverageOf(view, metrics);
  const parts = [
    gain === null ? null : describeGain(gain),
    coverage === null
      ? null
      : `its ${formatShare(coverage.share)} interval held ${coverage.inside} of ${coverage.count}`,
    gain === null && coverage === null && metrics.mae !== null
      ? `its middle was off by ${view.formatValue(metrics.mae)} on average`
      : null,
  ].filter((part) => part !== null);
  const rows = formatCount(metrics.count, view.period);
  return {
    headline:
      parts.length === 0
        ? `It was tested on ${rows} that it had not seen.`
        : `On ${rows} that it had not seen, ${parts.join('; ')}.`,
    details: detailsOf(view, metrics),
    warnings,
    verdict: gain === null ? 'none' : Math.abs(gain) < MIN_DIFFERENCE ? 'equal' : gain > 0 ? 'better' : 'worse',
  };
}

/** Returns by which share the loss was below that of equal weights; null if the two cannot be compared. */
export function gainOf({ forecast: { weighting } }: Pick<ForecastWords, 'forecast'>): number | null {
  if (weighting === undefined || weighting.status === 'single_model') return null;
  const [own, baseline] = [weighting.audit_metrics.average_wql, weighting.baseline_audit_metrics.average_wql];
  if (own === null || baseline === null || baseline === 0 || own === baseline) return null;
  return 1 - own / baseline;
}

function describeGain(gain: number): string {
  if (Math.abs(gain) < MIN_DIFFERENCE) return 'it was as good as equal weights';
  const size = formatShare(Math.abs(gain), Math.abs(gain) < 0.02 ? 1 : 0);
  return `it was ${size} ${gain > 0 ? 'better' : 'worse'} than equal weights`;
}

interface Coverage {
  readonly share: number;
  readonly inside: number;
  readonly count: number;
}

/** Returns how often the named interval held; null if the forecast has none. */
function coverageOf({ levels: { interval } }: ForecastWords, metrics: Metrics): Coverage | null {
  if (interval === null) return null;
  const key = Object.keys(metrics.coverage).find((one) => Math.abs(Number(one) - interval.share) < 1e-9);
  const covered = key === undefined ? undefined : metrics.coverage[key];
  if (covered === undefined) return null;
  return { share: interval.share, inside: Math.round(covered * metrics.count), count: metrics.count };
}

function detailsOf({ forecast, formatValue, formatPeriod, units }: ForecastWords, metrics: Metrics): string[] {
  const { weighting, historical_validation: validation } = forecast;
  const details: string[] = [];
  if (validation?.validation_start_at && validation.validation_end_at) {
    const [start, end] = [validation.validation_start_at, validation.validation_end_at].map((at) =>
      formatPeriod(new Date(at)),
    );
    const use = weighting?.status === 'optimized' ? 'They chose neither the weights nor the calibration. ' : '';
    details.push(`The rows of the test are ${start} to ${end}. ${use}The forecast itself also uses them.`);
  }
  if (metrics.mae !== null)
    details.push(
      `The middle of the forecast was off by ${formatValue(metrics.mae)}${units ? ` ${units}` : ''} on average.`,
    );
  // Equal weights can still differ from the baseline, by the spread.
  if (weighting?.selected_method === 'equal' && gainOf({ forecast }) === null)
    details.push('The weights are equal, so there is no difference to measure.');
  if (weighting?.status === 'single_model')
    details.push('One model takes part, so there are no other weights to compare it with.');
  return details;
}

/** Returns the reasons to trust a forecast less, the gravest first. */
function findWarnings(view: ForecastWords, metrics: Metrics | null): Warning[] {
  const { forecast, formatPeriod, period } = view;
  const { weighting, settings, members = [] } = forecast;
  const warnings: Warning[] = [];
  const gain = gainOf(view);
  if (gain !== null && gain <= -MIN_DIFFERENCE) {
    warnings.push({
      title: 'Worse than equal weights',
      text: `In the test, the chosen weights did worse than equal weights by ${formatShare(-gain, gain > -0.02 ? 1 : 0)}. One test proves little, but this one speaks against the weights.`,
    });
  }
  const coverage = metrics && metrics.count > 0 ? coverageOf(view, metrics) : null;
  const verdict = coverage && judgeCoverage(coverage.inside, coverage.count, coverage.share);
  if (coverage && verdict) {
    const expected = Math.round(coverage.share * coverage.count);
    const rest =
      verdict === 'narrow'
        ? 'Expect values outside it more often than stated.'
        : 'The real uncertainty is smaller than shown.';
    warnings.push({
      title: verdict === 'narrow' ? 'Its intervals look too narrow' : 'Its intervals look too wide',
      text: `The ${formatShare(coverage.share)} interval held ${coverage.inside} of ${coverage.count}; about ${expected} were expected. ${rest}`,
    });
  }
  if (weighting?.status === 'fallback') warnings.push(warnOfFallback(weighting));
  if (metrics === null || metrics.count === 0) {
    warnings.push({
      title: 'Not tested',
      text: 'No row could be held back and scored. Treat the intervals as a guess.',
    });
  } else if (metrics.count < MIN_ROWS) {
    warnings.push({
      title: 'A short test',
      text: `The test has ${formatCount(metrics.count, 'row')}. So few can look good or bad by chance.`,
    });
  }
  const from = weighting?.extrapolated_from_step ?? null;
  const first = from === null ? undefined : forecast.predictions[from - 1];
  if (from !== null && first !== undefined) {
    const steps = forecast.predictions.length - from + 1;
    warnings.push({
      title: 'Steps that no test reaches',
      text: `From ${formatPeriod(new Date(first.timestamp))} on, the last ${formatCount(steps, period)} ${steps === 1 ? 'is' : 'are'} further ahead than any fold was scored. Weights and calibration of earlier steps are used there.`,
    });
  }
  const missing = members
    // A model that was never meant to take part here is not missed.
    .filter(({ status, reason }) => status !== 'completed' && reason !== 'not_fitted_here')
    .map(({ model }) => nameModel(model));
  if (missing.length > 0) {
    warnings.push({
      title: missing.length === 1 ? 'A model is missing' : 'Models are missing',
      text: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not part of the result. The list of models below has the reason.`,
    });
  }
  if (settings.unavailable_models && settings.unavailable_models.length > 0) {
    warnings.push({
      title: `Made without a model of the ${settings.mode === 'fast' ? 'fast mode' : 'default ensemble'}`,
      text: `${settings.unavailable_models.map(nameModel).join(', ')} had no usable checkpoint on this service when the forecast was created.`,
    });
  }
  if (settings.fallback_used) {
    warnings.push({
      title: 'Another provider',
      text: 'The preferred provider did not respond, so another one supplied the rows. Their values can differ slightly.',
    });
  }
  return warnings;
}

/** Returns the warning that the folds did not choose the weights. */
function warnOfFallback({ reason, spread_weights }: NonNullable<WordedForecast['weighting']>): Warning {
  // A pool whose spread has weights of its own starts from what suits other series of the frequency.
  const hasPrior = spread_weights !== undefined;
  if (reason === 'fast_mode') {
    const weights = hasPrior
      ? 'The weights and the width of the spread are those that suit most series of this kind.'
      : 'The weights are the default ones, and the spread is not calibrated.';
    return {
      title: 'Made in fast mode',
      text: `No folds tested the models on the past. ${weights} The full mode adjusts both to this series.`,
    };
  }
  const cause =
    reason === 'calibration_failed'
      ? 'Every model failed in at least one fold'
      : 'The series is too short for the folds to choose weights';
  const consequence = hasPrior
    ? 'so the weights and the width of the spread are those that suit most series of this kind'
    : 'so the weights are the default ones and the spread is not calibrated';
  return { title: 'Weights without proof', text: `${cause}, ${consequence}.` };
}
