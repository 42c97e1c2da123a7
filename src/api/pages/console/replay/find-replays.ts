import { canonicalJson, Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { attempt } from '../refusals.ts';
import type { Visitor } from '../visitor.ts';
import {
  canReplay,
  commonSettings,
  type Forecast,
  type ReplayableForecast,
  type ReplayChoice,
  withoutVintage,
} from './replay-request.ts';

type Listed = Output<Operations['listForecasts']>['forecasts'][number];

/** The replays of a forecast that the visitor has made. */
export interface FoundReplays {
  /** The latest cutoff first, one for each choice. After those that the page shows come only those asked about. */
  readonly replays: readonly Forecast[];
  /** How many replays failed, by `identityOf`. */
  readonly failures: ReadonlyMap<string, number>;
  /** Whether there are more than the page shows. */
  readonly isCut: boolean;
}

/** A page with more charts would be slow and hard to compare. */
export const MAX_SHOWN = 6;
/** Replays of a series with more forecasts than this are not found. */
const MAX_PAGES = 3;

/**
 * Finds the replays of a forecast among the visitor's own forecasts: the same source and settings with a cutoff. The
 * idempotency key that made them is forgotten after a day, so it cannot find them.
 *
 * @param asked the cutoffs of which every replay is found, also of those that the page does not show: a replay that
 *   exists must not be charged again
 */
export async function findReplays(
  visitor: Visitor,
  original: ReplayableForecast,
  asked: readonly string[],
): Promise<FoundReplays> {
  const candidates = (await listOfSource(visitor, original)).filter((listed) => isCandidate(listed, original));
  const wanted = canonicalJson(commonSettings(original));
  const failures = new Map<string, number>();
  const found = new Map<string, Forecast>();
  let isCut = false;
  const complete = new Set<string | null>(asked);
  for (const { forecast_id: id, cutoff } of candidates.sort(byCutoff)) {
    // Each candidate costs a request, so those that are neither shown nor asked about are not read.
    if (found.size >= MAX_SHOWN && !complete.has(cutoff)) {
      isCut = true;
      continue;
    }
    const forecast = await attempt(() => visitor.call('readForecast', { params: { forecast_id: id } }));
    if (forecast instanceof Fault) {
      if (forecast.code === 'NOT_FOUND' || forecast.code === 'WORKSPACE_DENIED') continue;
      throw forecast;
    }
    if (!canReplay(forecast) || canonicalJson(commonSettings(forecast)) !== wanted) continue;
    const identity = identityOf(choiceOf(forecast));
    if (forecast.status === 'failed') failures.set(identity, (failures.get(identity) ?? 0) + 1);
    // A cutoff that is shown is read to its end: a replay that failed may have been made again.
    complete.add(cutoff);
    const earlier = found.get(identity);
    if (earlier === undefined || earlier.status === 'failed') found.set(identity, forecast);
  }
  return { replays: [...found.values()], failures, isCut };
}

/** Returns what a replay was asked for. */
export function choiceOf({ settings }: Pick<Forecast, 'settings'>): ReplayChoice {
  return { cutoff: settings.cutoff ?? '', isAsKnown: settings.as_known_at_cutoff === true };
}

/** Returns the text by which a replay is found again. */
export function identityOf({ cutoff, isAsKnown }: ReplayChoice): string {
  return isAsKnown ? `${cutoff} as known` : cutoff;
}

async function listOfSource(visitor: Visitor, { settings: { source } }: ReplayableForecast): Promise<Listed[]> {
  const name = nameOf(source);
  const all: Listed[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { forecasts, next_cursor: next }: Output<Operations['listForecasts']> = await visitor.call('listForecasts', {
      query: { source: name, limit: 100, ...(cursor !== null && { cursor }) },
    });
    all.push(...forecasts);
    cursor = next;
    if (cursor === null) break;
  }
  return all;
}

/** Returns the text by which the list of forecasts finds a source. */
function nameOf(source: ReplayableForecast['settings']['source']): string {
  if (source.type === 'market') return source.symbol;
  return source.type === 'economic_series'
    ? source.series_id
    : source.type === 'warehouse_table'
      ? source.table
      : source.type;
}

function isCandidate(listed: Listed, original: ReplayableForecast): boolean {
  const { settings } = original;
  return (
    listed.cutoff !== null &&
    listed.source !== null &&
    listed.forecast_id !== original.forecast_id &&
    listed.reproduces === null &&
    listed.horizon === settings.horizon &&
    listed.weight_mode === settings.weight_mode &&
    canonicalJson(listed.models) === canonicalJson(settings.models) &&
    canonicalJson(withoutVintage(listed.source)) === canonicalJson(withoutVintage(settings.source))
  );
}

/** The latest cutoff first and, of one cutoff, the oldest forecast first. */
function byCutoff(one: Listed, other: Listed): number {
  return (other.cutoff ?? '').localeCompare(one.cutoff ?? '') || one.created_at.localeCompare(other.created_at);
}
