import { formatDay } from './format.ts';

/** What a citation of a forecast names. */
export interface CitedForecast {
  readonly name: string;
  readonly slug: string;
  readonly madeAt: Date;
  /** The content id of its proof; null if it has none yet. */
  readonly contentCid: string | null;
}

/** Returns the public address of a forecast. */
export function forecastUrl({ slug }: Pick<CitedForecast, 'slug'>, siteUrl: string): string {
  return `${siteUrl}/forecasts/${slug}`;
}

/** Returns how to cite a forecast. */
export function citeForecast(forecast: CitedForecast, siteUrl: string): string {
  const { name, madeAt, contentCid } = forecast;
  const id = contentCid === null ? '' : ` Content id ${contentCid}.`;
  return `Almanac. “${name}”. Forecast made on ${formatDay(madeAt)}.${id} ${forecastUrl(forecast, siteUrl)}`;
}

/** Returns the markup with which another site shows the chart of a forecast. */
export function embedForecast({ slug }: Pick<CitedForecast, 'slug'>, siteUrl: string): string {
  return `<iframe src="${siteUrl}/embed/${slug}" width="100%" height="560" title="Forecast" loading="lazy"></iframe>`;
}
