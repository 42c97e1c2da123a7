import type { Account } from '../access/index.ts';
import { type Observations, readObservations } from '../datasets/index.ts';
import { type ForecastRow, findForecast, requireAllowedLicenses } from '../forecasts/index.ts';
import { readStockHistory, type StockHistory } from '../market/index.ts';
import type { FeedContext } from './context.ts';
import { feedForecastNotCompleted } from './faults.ts';
import type { FeedChoice } from './tables.ts';

type ChoiceOf<Kind> = Extract<FeedChoice, { kind: Kind }>;

/** What a feed returns now, before it is rendered. */
export type FeedContent =
  | (ChoiceOf<'history'> & { readonly history: StockHistory })
  | (ChoiceOf<'observations'> & { readonly observations: Observations })
  | (ChoiceOf<'forecast'> & { readonly forecast: ForecastRow });

/**
 * Reads what a feed returns, with the present access of an account. Throws the fault of the operation of its kind if the
 * account may not read it, its license is denied or it no longer exists.
 */
export async function readContent(
  context: FeedContext,
  account: Account,
  choice: FeedChoice,
  signal: AbortSignal,
): Promise<FeedContent> {
  switch (choice.kind) {
    case 'history':
      return {
        ...choice,
        history: await readStockHistory(context.market, { ...choice.request, format: 'csv' }, signal),
      };
    case 'observations': {
      const { source, limit, cutoff } = choice.request;
      const request = { source, limit, cutoff: cutoff === undefined ? undefined : Date.parse(cutoff), signal };
      return { ...choice, observations: await readObservations(context, account, request) };
    }
    case 'forecast':
      return { ...choice, forecast: await readForecast(context, account, choice.request.forecast_id) };
  }
}

/** A feed shows a result outside the account, so licenses that were denied since apply to it. */
async function readForecast({ forecasts }: FeedContext, account: Account, idOrSlug: string): Promise<ForecastRow> {
  const forecast = await findForecast(forecasts, account, idOrSlug, 'forecast.read');
  if (forecast.result === null) throw feedForecastNotCompleted(forecast.status);
  await requireAllowedLicenses(forecasts, forecast);
  return forecast;
}
