import type { z } from 'zod';
import { type BarFrequency, EARLIEST_INSTANT, LATEST_INSTANT, parseTimeframe } from '../../calendar/index.ts';
import { Fault, type StockHistoryRequest } from '../../contract/index.ts';
import { canonicalJson } from '../../engine/index.ts';

export type HistoryRequest = z.output<typeof StockHistoryRequest>;

/** What decides which rows a request is answered with; the format and the page do not. */
export interface HistorySettings {
  readonly symbol: string;
  readonly source: HistoryRequest['source'];
  readonly frequency: BarFrequency;
  readonly limit: number;
  readonly adjustment: HistoryRequest['adjustment'];
  readonly session: HistoryRequest['session'];
  readonly priceSide: HistoryRequest['price_side'];
  readonly start: number | null;
  readonly end: number | null;
}

export function settingsOf(request: HistoryRequest): HistorySettings {
  const { symbol, source, limit, adjustment, session, price_side: priceSide } = request;
  const start = request.start === undefined ? null : servedInstant(Date.parse(request.start));
  const end = request.end === undefined ? null : servedInstant(Date.parse(request.end));
  if (
    request.start !== undefined &&
    request.end !== undefined &&
    Date.parse(request.start) >= Date.parse(request.end)
  ) {
    throw new Fault('INVALID_REQUEST', 'end: must be after start.');
  }
  return {
    symbol,
    source,
    frequency: frequencyOf(request.timeframe),
    limit,
    adjustment,
    session,
    priceSide,
    start,
    end,
  };
}

/** Inside the calendar by more than the longest period, so that the periods around an instant are in it, too. */
const MARGIN = 62 * 86_400_000;

/** No bars lie outside the years of the calendar, so that asking from or until there is asking from or until its edge. */
export function servedInstant(instant: number): number {
  return Math.min(LATEST_INSTANT - MARGIN, Math.max(EARLIEST_INSTANT + MARGIN, instant));
}

export function frequencyOf(timeframe: string): BarFrequency {
  const frequency = parseTimeframe(timeframe);
  if (frequency === null) throw new Fault('INVALID_REQUEST', `timeframe: ${timeframe} is not one of ours.`);
  return frequency;
}

/** In one spelling, for cursors. */
export function sayOnce(settings: HistorySettings): string {
  return canonicalJson(settings);
}
