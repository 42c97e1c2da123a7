import type { z } from 'zod';
import { licenseDenied } from '../access/index.ts';
import {
  canonicalJson,
  type MarketSourceName,
  type PriceSide,
  type QuoteSide,
  type StockHistoryRequest,
} from '../contract/index.ts';
import { openCursor, sealCursor } from '../platform/index.ts';
import { type ExportedSnapshot, freeze, type Snapshot } from '../snapshots/index.ts';
import type { DroppedRows } from './bars.ts';
import type { MarketContext } from './context.ts';
import {
  barSnapshotNotFound,
  cursorMismatch,
  cursorWithSnapshot,
  endNotAfterStart,
  snapshotExceedsRequest,
  snapshotMismatch,
} from './faults.ts';
import { deniedLicense, resolveSourceName } from './providers/route.ts';
import {
  type BarSettings,
  canonicalSymbol,
  clampInstant,
  type ReadBarsResult,
  readBars,
  requireFrequency,
} from './read-bars.ts';

type HistoryRequest = z.output<typeof StockHistoryRequest>;

/** The description that a snapshot of bars stores with its rows. */
interface AboutBars {
  readonly kind: 'bars';
  readonly source: {
    readonly type: 'market';
    readonly symbol: string;
    readonly provider: string;
    readonly timeframe: string;
    readonly adjustment: string;
    readonly session: string;
    /** Present if the request named it. Snapshots of earlier releases always have it. */
    readonly price_side?: string;
  };
  readonly retrieval: {
    readonly fallback_used: boolean;
    readonly older: boolean;
    /** The instant before which older bars begin, if there are no rows that tell it. */
    readonly older_before?: number;
    readonly dropped: DroppedRows;
  };
}

/** Frozen bars, and how they were obtained. */
export interface StockHistory {
  readonly exported: ExportedSnapshot;
  readonly provider: string;
  readonly priceSide: QuoteSide;
  readonly fallbackUsed: boolean;
  readonly dropped: DroppedRows;
  readonly nextCursor: string | null;
}

/**
 * Returns the bars of a request. If the request names a snapshot, these are exactly its rows; otherwise they are read
 * from a provider and frozen.
 */
export async function readStockHistory(
  market: MarketContext,
  request: HistoryRequest,
  signal?: AbortSignal,
): Promise<StockHistory> {
  const settings = settingsOf(request);
  if (request.snapshot_id !== undefined) {
    if (request.cursor !== undefined) throw cursorWithSnapshot();
    return historyOfSnapshot(market, settings, request.snapshot_id);
  }
  const at = market.clock.now().getTime();
  const page = request.cursor === undefined ? null : await openPage(market, settings, request.cursor);
  const end = page === null ? (settings.end ?? at) : page.end;
  const read = await readBars(market, { ...settings, source: page?.source ?? settings.source }, { end, at, signal });
  const snapshot = await freeze(market, { about: { ...aboutOf(settings, read) }, table: read.bars });
  return historyOf(market, settings, market.exports.add(snapshot));
}

function settingsOf(request: HistoryRequest): BarSettings {
  const { symbol, source, limit, adjustment, session } = request;
  const start = request.start === undefined ? null : Date.parse(request.start);
  const end = request.end === undefined ? null : Date.parse(request.end);
  if (start !== null && end !== null && start >= end) throw endNotAfterStart();
  return {
    symbol,
    source,
    frequency: requireFrequency(request.timeframe),
    limit,
    adjustment,
    session,
    priceSide: request.price_side ?? null,
    start: start === null ? null : clampInstant(start),
    end: end === null ? null : clampInstant(end),
  };
}

function aboutOf(settings: BarSettings, read: ReadBarsResult): AboutBars {
  const { frequency: timeframe, adjustment, session, priceSide } = settings;
  const { symbol, provider, olderBefore, bars } = read;
  const isUnclear = olderBefore !== null && bars.timestamps.length === 0;
  return {
    kind: 'bars',
    source: {
      type: 'market',
      symbol,
      provider,
      timeframe,
      adjustment,
      session,
      ...(priceSide !== null && { price_side: priceSide }),
    },
    retrieval: {
      fallback_used: read.fallbackUsed,
      older: olderBefore !== null,
      ...(isUnclear && { older_before: olderBefore }),
      dropped: read.dropped,
    },
  };
}

async function historyOf(
  market: MarketContext,
  settings: BarSettings,
  exported: ExportedSnapshot,
): Promise<StockHistory> {
  const { snapshot } = exported;
  const { source, retrieval } = snapshot.about as unknown as AboutBars;
  const before = snapshot.table.timestamps[0] ?? retrieval.older_before;
  return {
    exported,
    provider: source.provider,
    priceSide: frozenSide(source),
    fallbackUsed: retrieval.fallback_used,
    dropped: retrieval.dropped,
    nextCursor:
      retrieval.older && before !== undefined
        ? sealCursor(await market.cursorKey(), canonicalJson(settings), { before, provider: source.provider })
        : null,
  };
}

interface CursorPosition {
  readonly before: number;
  /** Absent in cursors of earlier releases. */
  readonly provider?: string;
}

/** Returns the end of the page that a cursor selects, and its source: all pages of a history are of one provider. */
async function openPage(
  market: MarketContext,
  settings: BarSettings,
  cursor: string,
): Promise<{ readonly end: number; readonly source: MarketSourceName | undefined }> {
  const position = openCursor(await market.cursorKey(), canonicalJson(settings), cursor) as CursorPosition | null;
  if (position === null) throw cursorMismatch();
  const { before, provider } = position;
  const isConfigured = market.providers.some(({ id }) => id === provider);
  return {
    end: Math.min(before, settings.end ?? before),
    source: isConfigured ? (provider as MarketSourceName) : undefined,
  };
}

async function historyOfSnapshot(market: MarketContext, settings: BarSettings, id: string): Promise<StockHistory> {
  const exported = await market.exports.open(id);
  const about = exported?.snapshot.about as unknown as AboutBars | undefined;
  // Snapshots of other sources, such as private files, must not be readable here.
  if (!exported || about?.kind !== 'bars') throw barSnapshotNotFound();
  requireLicense(market, about.source);
  const requested = {
    symbol: canonicalSymbol(market, about.source.provider, settings.symbol),
    timeframe: settings.frequency,
    adjustment: settings.adjustment,
    session: settings.session,
    ...(settings.priceSide !== null && { price_side: settings.priceSide }),
    ...(settings.source !== 'auto' && { provider: resolveSourceName(settings.source) }),
  };
  const frozenSource = { ...about.source, price_side: about.source.price_side ?? frozenSide(about.source) };
  for (const [field, value] of Object.entries(requested)) {
    const frozen = frozenSource[field as keyof typeof requested] as string;
    if (frozen !== value) throw snapshotMismatch(field === 'provider' ? 'source' : field, frozen, value);
  }
  requireWithinRequest(settings, exported.snapshot);
  // The pages before this one have its price side, even if the request did not name it.
  const { provider, price_side: side } = about.source;
  const priceSide = provider === 'dukascopy' ? ((side as PriceSide | undefined) ?? null) : settings.priceSide;
  return historyOf(market, { ...settings, priceSide }, exported);
}

/** Checks the license of frozen bars again, because it may have been denied since they were frozen. */
function requireLicense(market: MarketContext, { provider: id, symbol }: AboutBars['source']): void {
  const provider = market.licenses.allowsAll ? undefined : market.providers.find((one) => one.id === id);
  const denied = provider === undefined ? null : deniedLicense(market, provider, symbol);
  if (denied !== null) throw licenseDenied(`symbol: ${JSON.stringify(symbol)}`, denied);
}

/** Refuses a snapshot with rows that the request does not select. */
function requireWithinRequest({ start, end, limit }: BarSettings, { table, rows }: Snapshot): void {
  const first = table.timestamps[0] ?? Number.POSITIVE_INFINITY;
  const last = table.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (rows > limit) throw snapshotExceedsRequest('limit');
  if (start !== null && first < start) throw snapshotExceedsRequest('start');
  if (end !== null && last >= end) throw snapshotExceedsRequest('end');
}

/**
 * Returns the side of frozen prices. Earlier releases named a side for every provider, although only one has bids and
 * asks.
 */
function frozenSide({ provider, price_side: named }: AboutBars['source']): QuoteSide {
  if (provider !== 'dukascopy') return 'trade';
  return named === 'ask' ? 'ask' : 'bid';
}
