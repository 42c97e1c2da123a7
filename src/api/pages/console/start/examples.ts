import type { Frequency } from '../../../../calendar/index.ts';
import type { PublicReference } from '../../../../contract/index.ts';
import { sourceParams } from '../source-address.ts';
import { type ExampleForecast, FORECASTS } from './bundled-forecasts.ts';

/** A series that is installed with the service, with a forecast that was made from it. Both need no network. */
export interface Example {
  readonly id: string;
  readonly name: string;
  readonly question: string;
  readonly source: PublicReference;
  readonly frequency: Frequency;
  /** In periods of the series. */
  readonly horizon: number;
  /** The word for one period. */
  readonly period: string;
  /** The units of the values on the page. */
  readonly units: string;
  /** The number of units of the series in one of those. Default: 1. */
  readonly scale?: number;
  readonly forecast: ExampleForecast;
}

/** What the start page and the page of a new forecast offer a newcomer. */
export const EXAMPLES: readonly Example[] = [
  {
    id: 'apple',
    name: 'Apple stock',
    question: 'How far could it move in a month?',
    source: { type: 'market', symbol: 'AAPL', provider: 'bundled', timeframe: '1D', adjustment: 'split' },
    frequency: '1D',
    horizon: 21,
    period: 'session',
    units: 'USD',
    forecast: FORECASTS.apple,
  },
  {
    id: 'employment',
    name: 'US employment',
    question: 'How many jobs in a year?',
    source: { type: 'economic_series', provider: 'bundled', series_id: 'us-employment-nonfarm' },
    frequency: '1ME',
    horizon: 12,
    period: 'month',
    units: 'million jobs',
    scale: 1000,
    forecast: FORECASTS.employment,
  },
  {
    id: 'co2',
    name: 'CO₂ at Mauna Loa',
    question: 'How high will the next peaks be?',
    source: { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', value_field: 'co2' },
    frequency: '1ME',
    horizon: 24,
    period: 'month',
    units: 'ppm',
    forecast: FORECASTS.co2,
  },
];

/** Returns the address of the form that makes the forecast of an example. */
export function exampleAddress({ source, horizon }: Pick<Example, 'source' | 'horizon'>): string {
  const params = sourceParams(source);
  params.append('horizon', String(horizon));
  return `/new?${params}`;
}
