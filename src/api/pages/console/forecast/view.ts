import type { Operations, Output } from '../../../../contract/index.ts';
import { Fault } from '../../../../contract/index.ts';
import { type ForecastWords, wordsOf } from '../../../../wording/index.ts';
import type { OperationCaller } from '../../../operation-caller.ts';

export type Forecast = Output<Operations['readForecast']>;
export type History = Output<Operations['readForecastHistory']>;
export type Outcome = Output<Operations['readOutcome']>;

/** Everything that the page of a completed forecast shows. */
export interface ForecastView extends ForecastWords {
  readonly forecast: Forecast;
  /** The rows that the forecast was made from, or why the visitor cannot see them. */
  readonly history: History | Refusal;
  /** What became known since, or why the visitor cannot see it. */
  readonly outcome: Outcome | Refusal;
  /** When the page is shown. */
  readonly now: Date;
}

/** Why a part of the page is missing. */
export interface Refusal {
  readonly refused: string;
}

export function isRefused(part: object): part is Refusal {
  return 'refused' in part;
}

/** The rows that a page contains. A script reads the others when the whole history is wanted. */
export const PAGE_ROWS = 1_500;

/** Reads what the page of a completed forecast shows besides the forecast. */
export async function readView(
  visitor: Pick<OperationCaller, 'call'>,
  forecast: Forecast,
  now: Date,
): Promise<ForecastView> {
  const params = { forecast_id: forecast.forecast_id };
  const [history, outcome] = await Promise.all([
    refusable(visitor.call('readForecastHistory', { params, query: { limit: PAGE_ROWS } })),
    refusable(visitor.call('readOutcome', { params })),
  ]);
  return viewOf(forecast, { history, outcome, now });
}

/** Returns the view of a forecast from its parts. */
export function viewOf(
  forecast: Forecast,
  { history, outcome, now }: Pick<ForecastView, 'history' | 'outcome' | 'now'>,
): ForecastView {
  const units = isRefused(history) ? undefined : (history.units ?? undefined);
  return { ...wordsOf(forecast, units), history, outcome, now };
}

/** A part that the visitor may not see must not hide the rest of the page. Limits and failures still do. */
async function refusable<Part>(part: Promise<Part>): Promise<Part | Refusal> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof Fault && error.status < 500 && error.status !== 429) return { refused: error.message };
    throw error;
  }
}
