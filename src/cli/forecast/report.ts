import type { ForecastChart } from '../../charts/index.ts';
import {
  describeAudit,
  type ForecastWords,
  summarizeAudit,
  type WordedForecast,
  wordsOf,
} from '../../wording/index.ts';

/** A completed forecast with its history, from this process or from a service. */
export interface MadeForecast {
  readonly title: string;
  readonly units: string | undefined;
  readonly forecast: WordedForecast & { readonly predictions: readonly { readonly timestamp: string }[] };
  /** A value of NaN is missing. */
  readonly history: ForecastChart['history'];
  /** What the JSON states besides the forecast, such as how a file was read. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A forecast as the command line shows it. */
export interface ShownForecast {
  readonly chart: ForecastChart;
  readonly words: ForecastWords;
  /** The audit in two sentences. */
  readonly audit: readonly string[];
  /** The result as one object, with the names of the API. */
  readonly json: object;
}

/** Prepares a forecast to be shown. */
export function reportForecast({ title, units, forecast, history, facts }: MadeForecast): ShownForecast {
  const words = wordsOf(forecast, units);
  const audit = describeAudit(words);
  const sentences = summarizeAudit(audit);
  return {
    chart: {
      title,
      units,
      history,
      predictions: forecast.predictions.map(({ timestamp, quantiles }) => ({
        timestamp: Date.parse(timestamp),
        quantiles,
      })),
      outcome: [],
    },
    words,
    audit: sentences,
    json: {
      title,
      ...(units !== undefined && { units }),
      ...facts,
      audit: { verdict: audit.verdict, sentences, warnings: audit.warnings },
      ...forecast,
    },
  };
}
