/** How the season enters: not at all, added to the level, or multiplied with it. */
export type SeasonKind = 'none' | 'additive' | 'multiplicative';

/** One member of the exponential smoothing family, as in ETS(error, trend, season). */
export interface EtsForm {
  /** Whether errors are proportional to the forecast. */
  readonly relativeError: boolean;
  readonly trend: 'none' | 'linear' | 'damped';
  readonly season: SeasonKind;
}

/**
 * Returns the forms to try: those that R's `forecast::ets` tries by default. Multiplicative trends explode, and
 * additive errors with a multiplicative season have infinite forecast variance. Relative errors need positive data.
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
 * Counts smoothing parameters, initial states (the seasons sum to a constant, so one is not free) and the error
 * variance.
 */
export function formParameterCount(form: EtsForm, period: number): number {
  const trend = form.trend === 'none' ? 0 : form.trend === 'linear' ? 2 : 3;
  return 3 + trend + (form.season === 'none' ? 0 : period);
}
