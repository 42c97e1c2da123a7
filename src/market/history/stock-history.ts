import { licenseDenied } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { openCursor, sealCursor } from '../../platform/index.ts';
import { type ExportedSnapshot, freeze, type Snapshot } from '../../snapshots/index.ts';
import type { DroppedRows } from '../bars.ts';
import type { MarketContext } from '../context.ts';
import { deniedLicense } from '../denied-license.ts';
import { resolveSourceName } from '../providers/source-name.ts';
import { type BarsRead, canonicalSymbol, readBars } from './read-bars.ts';
import { type HistoryRequest, type HistorySettings, sayOnce, settingsOf } from './settings.ts';

/** What a snapshot of bars says of its rows. */
interface AboutBars {
  readonly kind: 'bars';
  readonly source: {
    readonly type: 'market';
    readonly symbol: string;
    readonly provider: string;
    readonly timeframe: string;
    readonly adjustment: string;
    readonly session: string;
    readonly price_side: string;
  };
  readonly retrieval: {
    readonly fallback_used: boolean;
    readonly older: boolean;
    readonly dropped: DroppedRows;
  };
}

/** Bars, frozen, and how they came about. */
export interface StockHistory {
  readonly exported: ExportedSnapshot;
  readonly provider: string;
  readonly fallbackUsed: boolean;
  readonly dropped: DroppedRows;
  readonly nextCursor: string | null;
}

/**
 * The bars a request asks for: read from a provider and frozen, or, where the request names a snapshot, the rows of
 * that one and no others.
 */
export async function readStockHistory(
  market: MarketContext,
  request: HistoryRequest,
  signal?: AbortSignal,
): Promise<StockHistory> {
  const settings = settingsOf(request);
  if (request.snapshot_id !== undefined) {
    if (request.cursor !== undefined) {
      throw new Fault('INVALID_REQUEST', 'cursor: a snapshot has one page; send either cursor or snapshot_id.');
    }
    return fromSnapshot(market, settings, request.snapshot_id);
  }
  const at = market.clock.now().getTime();
  const end = request.cursor === undefined ? (settings.end ?? at) : await pageEnd(market, settings, request.cursor);
  const read = await readBars(market, settings, { end, at, signal });
  const snapshot = await freeze(market, { about: { ...aboutOf(settings, read) }, table: read.bars });
  return answer(market, settings, market.exports.keep(snapshot));
}

function aboutOf(settings: HistorySettings, read: BarsRead): AboutBars {
  const { frequency: timeframe, adjustment, session, priceSide: price_side } = settings;
  const { symbol, provider } = read;
  return {
    kind: 'bars',
    source: { type: 'market', symbol, provider, timeframe, adjustment, session, price_side },
    retrieval: { fallback_used: read.fallbackUsed, older: read.older, dropped: read.dropped },
  };
}

async function answer(
  market: MarketContext,
  settings: HistorySettings,
  exported: ExportedSnapshot,
): Promise<StockHistory> {
  const { snapshot } = exported;
  const { source, retrieval } = snapshot.about as unknown as AboutBars;
  const first = snapshot.table.timestamps[0];
  return {
    exported,
    provider: source.provider,
    fallbackUsed: retrieval.fallback_used,
    dropped: retrieval.dropped,
    nextCursor:
      retrieval.older && first !== undefined
        ? sealCursor(await market.cursorKey(), sayOnce(settings), { before: first })
        : null,
  };
}

async function pageEnd(market: MarketContext, settings: HistorySettings, cursor: string): Promise<number> {
  const place = openCursor(await market.cursorKey(), sayOnce(settings), cursor) as { before: number } | null;
  if (place !== null) return Math.min(place.before, settings.end ?? place.before);
  throw new Fault(
    'INVALID_REQUEST',
    'cursor: was not made for these settings. Repeat the request that answered it, with the cursor and nothing else changed.',
  );
}

async function fromSnapshot(market: MarketContext, settings: HistorySettings, id: string): Promise<StockHistory> {
  const exported = await market.exports.open(id);
  const about = exported?.snapshot.about as unknown as AboutBars | undefined;
  // Snapshots of other sources, private files among them, are not this endpoint's to show.
  if (!exported || about?.kind !== 'bars') {
    throw new Fault('NOT_FOUND', 'No snapshot of bars with this id. Ask for the bars again without snapshot_id.');
  }
  await requireLicense(market, about.source);
  const asked = {
    symbol: canonicalSymbol(market, about.source.provider, settings.symbol),
    timeframe: settings.frequency,
    adjustment: settings.adjustment,
    session: settings.session,
    price_side: settings.priceSide,
    ...(settings.source !== 'auto' && { provider: resolveSourceName(settings.source) }),
  };
  for (const [field, value] of Object.entries(asked)) {
    const frozen = about.source[field as keyof typeof asked];
    if (frozen !== value) {
      const name = field === 'provider' ? 'source' : field;
      throw new Fault('INVALID_REQUEST', `${name}: the snapshot is of ${frozen}, not of ${value}.`);
    }
  }
  refuseOtherWindow(settings, exported.snapshot);
  return answer(market, settings, exported);
}

/** Of bars that were frozen before, as of now. */
async function requireLicense(market: MarketContext, { provider: id, symbol }: AboutBars['source']): Promise<void> {
  const provider = market.licenses.isOpen ? undefined : market.providers.find((one) => one.id === id);
  const denied = provider === undefined ? null : await deniedLicense(market, provider, symbol, undefined);
  if (denied !== null) throw licenseDenied(`symbol: ${JSON.stringify(symbol)}`, denied);
}

/** Rows that the request does not ask for are not its answer. */
function refuseOtherWindow({ start, end, limit }: HistorySettings, { table, rows }: Snapshot): void {
  const [first = Number.POSITIVE_INFINITY, last = Number.NEGATIVE_INFINITY] = [
    table.timestamps[0],
    table.timestamps.at(-1),
  ];
  const field = rows > limit ? 'limit' : first < (start ?? first) ? 'start' : last >= (end ?? Infinity) ? 'end' : null;
  if (field === null) return;
  throw new Fault('INVALID_REQUEST', `${field}: the snapshot has rows beyond it; send the settings it was made with.`);
}
