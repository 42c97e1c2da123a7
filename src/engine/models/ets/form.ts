/** How the season combines with the level: it is absent, added or multiplied. */
export type SeasonKind = 'none' | 'additive' | 'multiplicative';

/** One form of exponential smoothing, in the notation ETS(error, trend, season). */
export interface EtsForm {
  /** Whether errors are proportional to the forecast. */
  readonly relativeError: boolean;
  readonly trend: 'none' | 'linear' | 'damped';
  readonly season: SeasonKind;
}

/**
 * Returns the forms to try: those that R's `forecast::ets` tries by default. They exclude multiplicative trends, which
 * explode, and additive errors with a multiplicative season, whose forecast variance is infinite. Relative errors
 * require positive data.
 */
export function candidateForms(isPositive: boolean, isSeasonal: boolean): EtsForm[] {
  const forms: EtsForm[] = [];
  for (const relativeError of isPositive ? [false, true] : [false]) {
    const seasons: SeasonKind[] = !isSeasonal
      ? ['none']
      : relativeError
        ? ['none', 'additive', 'multiplicative']
        : ['none', 'additive'];
    for (const season of seasons)
      for (const trend of ['none', 'linear', 'damped'] as const) forms.push({ relativeError, trend, season });
  }
  return forms;
}

/**
 * Counts the smoothing parameters, the initial states and the error variance. One seasonal state is not free, because
 * the seasons sum to a constant.
 */
export function countFormParameters(form: EtsForm, period: number): number {
  const trend = form.trend === 'none' ? 0 : form.trend === 'linear' ? 2 : 3;
  return 3 + trend + (form.season === 'none' ? 0 : period);
}
