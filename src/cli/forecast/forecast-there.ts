import type { types } from '../../../client/src/index.ts';
import type { PublicReference } from '../../contract/index.ts';
import type { Connection } from '../connect.ts';
import { formatBar, type Progress } from '../progress.ts';
import type { LocalInput } from './forecast-here.ts';
import type { GivenRequest } from './forecast-options.ts';
import type { MadeForecast } from './report.ts';

const MAX_TITLE = 200;
/** The rows of the history that are read for the chart. */
const MAX_HISTORY = 1_500;

interface RemoteOptions {
  readonly progress: Progress;
  readonly horizon: number;
  readonly given: GivenRequest;
}

/** Forecasts through a service, which stores the forecast and its proof. */
export async function forecastThere(
  input: LocalInput,
  { almanac, url }: Connection,
  { progress, horizon, given }: RemoteOptions,
): Promise<MadeForecast> {
  const { signal } = progress;
  const forecast = await almanac.forecasts.run(toRequest(input, horizon, given), {
    signal,
    cancelOnAbort: true,
    onCreated: ({ forecast_id: id }) => progress.note(`The service at ${url} makes the forecast ${id}.`),
    onEvent: ({ data }) => {
      const { completed_models: done = 0, total_models: total = 0, current_model: current } = data.progress ?? {};
      if (total > 0) progress.show(`${formatBar(done, total)} models${current ? `, ${current}` : ''}`, done === total);
    },
  });
  return showStored(almanac, forecast, signal);
}

/** Reads what is shown of a forecast of a service. */
export async function showStored(
  almanac: Connection['almanac'],
  forecast: types.EnsembleForecast,
  signal: AbortSignal,
): Promise<MadeForecast> {
  const id = { forecast_id: forecast.forecast_id };
  const history = await almanac.forecasts.readHistory({ ...id, limit: MAX_HISTORY }, { signal });
  return {
    title: forecast.name,
    units: history.units ?? undefined,
    forecast: forecast as MadeForecast['forecast'],
    history: {
      timestamps: history.rows.map(({ timestamp }) => Date.parse(timestamp)),
      values: history.rows.map(({ value }) => value ?? Number.NaN),
    },
    facts: {},
  };
}

function toRequest(input: LocalInput, horizon: number, { frequency, fields }: GivenRequest): types.CreateForecastInput {
  if (input.kind === 'series') {
    const source = input.source as PublicReference & types.CreateForecastInput['source'];
    return { source, horizon, ...(frequency && { frequency }), ...fields };
  }
  const { times, values } = input.rows;
  const timestamps = Array.from(times, (time) => new Date(time).toISOString());
  return {
    source: { type: 'inline', timestamps, values: Array.from(values) },
    horizon,
    frequency: input.frequency,
    title: input.title.slice(0, MAX_TITLE),
    ...fields,
  };
}
