import { drawForecastChart, type ForecastChart } from '../../../charts/index.ts';
import type { PublicForecast } from '../../../forecasts/index.ts';
import { unitsOf } from './describe-source.ts';

const NO_ROWS = { timestamps: [], values: [] };

/** Previews of links show pictures of 1200 x 630 pixels. Drawn smaller and enlarged, the text is readable there. */
const PICTURE = { width: 800, height: 420 };
export const PICTURE_OPTIONS = { scale: 1.5 };

/** Returns what the chart of a forecast shows; null if the forecast has no result. */
export function chartOf({ forecast, name, about, history, outcome }: PublicForecast): ForecastChart | null {
  if (forecast.result === null) return null;
  return {
    title: name,
    units: unitsOf(about),
    history: history ?? NO_ROWS,
    predictions: forecast.result.predictions.map(({ timestamp, quantiles }) => ({
      timestamp: Date.parse(timestamp),
      quantiles,
    })),
    outcome: (outcome?.rows ?? []).map(({ timestamp, actual, replayed }) => ({
      timestamp: timestamp.getTime(),
      actual,
      replayed,
    })),
  };
}

/** Draws the chart as a file of its own. */
export function drawChartFile(chart: ForecastChart): string {
  return drawForecastChart(chart, { width: 960, height: 480 });
}

/** The characters that the fonts of pictures have; see assets/fonts. */
const DRAWABLE =
  /^[\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u1e9e\u0384-\u03ce\u0400-\u045f\u0490\u0491\u2010-\u2027\u2030-\u203a\u2044\u20a9-\u20ac\u20b9-\u20bd\u20bf\u2122\u2190-\u2193\u2212\u2248\u2260-\u2265]+$/;

/**
 * Draws the chart for a picture, which has one look. A title that the fonts cannot show would be left out in part and
 * could mean something else, so the picture has another one.
 */
export function drawPicture(chart: ForecastChart, { subject }: Pick<PublicForecast, 'subject'>): string {
  const title = [chart.title, subject].find((text) => DRAWABLE.test(text)) ?? 'Forecast';
  return drawForecastChart({ ...chart, title }, { ...PICTURE, colors: 'light' });
}
