import { z } from 'zod';
import type { EconomicCheck, EconomicProviderView } from '../../datasets/index.ts';
import type { FillState, ProviderCheck, ProviderView } from '../../market/index.ts';
import { ECONOMIC_PROVIDER_IDS, PROVIDER_IDS } from '../../platform/index.ts';
import { adminCommand, FailedCheckError, JSON_OPTION } from '../command.ts';
import { providerUnused } from '../faults.ts';
import { formatColumns } from '../help.ts';
import { keySettingsOf, remedyFor } from './provider-remedies.ts';

const loadCompose = () => import('../../compose/index.ts');
const loadMarket = () => import('../../market/index.ts');
const loadDatasets = () => import('../../datasets/index.ts');

const ALL_IDS = [...PROVIDER_IDS, ...ECONOMIC_PROVIDER_IDS] as const;

/** A provider with the progress of the bulk read of its daily bars; null if there was none. */
export type ListedProvider = ProviderView & { readonly days: DaysProgress | null };

type DaysProgress = Pick<FillState, 'session' | 'unit' | 'total' | 'done' | 'completed_session' | 'last_fault'>;

interface ProviderList {
  /** The providers of market data. */
  readonly providers: readonly ListedProvider[];
  /** The providers of economic series. */
  readonly economic: readonly EconomicProviderView[];
}

/** The result of `providers check`. */
export interface CheckReport {
  readonly providers: readonly CheckResult[];
}

interface CheckResult {
  readonly id: string;
  readonly ok: boolean;
  /** The symbol or series that was read. */
  readonly symbol: string;
  /** The newest daily bar, or the newest row of a series. */
  readonly newest:
    | { readonly date: string; readonly close: number }
    | { readonly date: string; readonly value: number }
    | null;
  readonly fault: string | null;
  /** A sentence that states the problem, and one with the remedy. */
  readonly problem: string | null;
  readonly remedy: string | null;
  /** Whether other requests wait until the breaker closes. */
  readonly breaker_open: boolean;
}

export const providerCommands = [
  adminCommand({
    name: 'providers list',
    arguments: [],
    options: JSON_OPTION,
    summary:
      'Lists the providers of market data and economic series: use, state, requests left, listings and daily bars.',
    example: 'providers list',
    input: z.strictObject({}),
    readInput: () => ({}),
    async execute(foundation): Promise<ProviderList> {
      const [compose, market, datasets] = await Promise.all([loadCompose(), loadMarket(), loadDatasets()]);
      const { listKnownProviders, listKnownAdapters } = compose;
      const known = listKnownProviders(foundation, foundation.providers);
      const providers = await market.reportProviders(foundation, known, { withStates: true });
      const fills = await market.readFillProgress(foundation.database);
      return {
        providers: providers.map((one) => ({ ...one, days: viewDays(fills.get(one.id)) })),
        economic: await datasets.reportEconomicProviders(foundation, listKnownAdapters(foundation)),
      };
    },
    formatResult: (result) => formatProviders(result as ProviderList),
  }),
  adminCommand({
    name: 'providers check',
    arguments: [{ name: 'NAME', isOptional: true }],
    options: JSON_OPTION,
    summary: 'Reads daily bars or a series from one provider, or from every configured one; fails if one fails.',
    example: 'providers check dukascopy',
    input: z.strictObject({
      name: z.enum(ALL_IDS, { error: `must be one of ${ALL_IDS.join(', ')}` }).optional(),
    }),
    readInput: ([name]) => ({ name }),
    async execute({ database, clock, providers, adapters }, { name }): Promise<CheckReport> {
      const [{ checkProvider }, { checkEconomicProvider }] = await Promise.all([loadMarket(), loadDatasets()]);
      const isChosen = ({ id }: { readonly id: string }) => name === undefined || id === name;
      const checks = await Promise.all([
        ...providers.filter(isChosen).map(async (one) => viewBarCheck(await checkProvider({ database, clock }, one))),
        ...adapters
          .filter(isChosen)
          .map(async (one) => viewSeriesCheck(await checkEconomicProvider({ database, clock }, one))),
      ]);
      if (name !== undefined && checks.length === 0) throw providerUnused(name, keySettingsOf(name));
      return { providers: checks };
    },
    formatResult: (result) => formatChecks((result as CheckReport).providers),
    async checkResult(result) {
      const failed = (result as CheckReport).providers.filter(({ ok }) => !ok).map(({ id }) => id);
      if (failed.length > 0) throw new FailedCheckError(result, `The check of ${formatList(failed)} failed.`);
    },
  }),
];

/** @example formatList(['fred', 'ecb', 'eurostat']) // 'fred, ecb and eurostat' */
function formatList(items: readonly string[]): string {
  return [items.slice(0, -1).join(', '), items.at(-1)].filter((part) => part !== '').join(' and ');
}

function viewBarCheck({ symbol, newest, ...check }: ProviderCheck): CheckResult {
  const shown = newest && { date: formatDate(newest.timestamp), close: newest.close };
  return viewCheck(check, symbol, shown, `daily bars of ${symbol}`);
}

function viewSeriesCheck({ seriesId, newest, ...check }: EconomicCheck): CheckResult {
  const shown = newest && { date: formatDate(newest.timestamp), value: newest.value };
  return viewCheck(check, seriesId, shown, `rows of ${seriesId}`);
}

function viewCheck(
  { provider: id, error, isOpen }: Pick<ProviderCheck, 'provider' | 'error' | 'isOpen'>,
  symbol: string,
  newest: CheckResult['newest'],
  what: string,
): CheckResult {
  const isOk = error === null && newest !== null;
  return {
    id,
    ok: isOk,
    symbol,
    newest,
    fault: error?.fault ?? (isOk ? null : 'NO_ROWS'),
    problem: isOk ? null : (error?.message ?? `${id} returned no ${what}.`),
    remedy: isOk ? null : remedyFor(id, error?.fault ?? null),
    breaker_open: isOpen,
  };
}

function formatDate(timestamp: number): string {
  return new Date(timestamp).toISOString().slice(0, 10);
}

function formatChecks(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return 'No provider is configured.\n';
  const rows = checks.map(({ id, ok, symbol, newest, problem, remedy, breaker_open: isOpen }) => {
    const outcome = newest === null ? `${problem} ${remedy}` : formatNewest(symbol, newest);
    return [id, ok ? 'ok' : 'failed', isOpen ? `${outcome} (other requests wait: its breaker is open)` : outcome];
  });
  return `${formatColumns(rows, '')}\n`;
}

function formatNewest(symbol: string, newest: NonNullable<CheckResult['newest']>): string {
  return 'close' in newest
    ? `newest daily bar of ${symbol}: ${newest.date}, close ${newest.close}`
    : `newest row of ${symbol}: ${newest.date}, value ${newest.value}`;
}

type ListedRow = EconomicProviderView & Partial<Pick<ListedProvider, 'delay_minutes' | 'days'>>;

/** The columns of the list, in order. */
const COLUMNS: readonly (readonly [heading: string, cell: (provider: ListedProvider | ListedRow) => string])[] = [
  ['PROVIDER', ({ id }) => id],
  ['USED', ({ configured }) => (configured ? 'yes' : 'no')],
  ['STATE', ({ state = '' }) => state],
  ['LAST SUCCESS', ({ last_success_at: at }) => formatTime(at)],
  ['LAST FAILURE', ({ last_failure: failure }) => (failure ? `${failure.fault} ${formatTime(failure.at)}` : '-')],
  ['REQUESTS LEFT', ({ requests_left: left }) => String(left ?? '-')],
  ['DELAY', ({ delay_minutes: minutes }) => (minutes === undefined ? '-' : `${minutes} min`)],
  ['LISTING', ({ listing }) => formatListing(listing)],
  ['DAYS', ({ days = null }) => formatDays(days)],
];

function formatProviders({ providers, economic }: ProviderList): string {
  const headings = COLUMNS.map(([heading]) => heading);
  const rows = [...providers, ...economic].map((one) => COLUMNS.map(([, cell]) => cell(one)));
  return `${formatColumns([headings, ...rows], '')}\n`;
}

function formatListing(listing: ProviderView['listing']): string {
  if (!listing) return '-';
  const { entries, refreshed_at: at, error } = listing;
  return `${entries} entries, ${at === null ? 'never read' : formatTime(at)}${error === null ? '' : `, ${error}`}`;
}

function viewDays(fill: FillState | undefined): DaysProgress | null {
  if (fill === undefined) return null;
  const { session, unit, total, done, completed_session, last_fault } = fill;
  return { session, unit, total, done, completed_session, last_fault };
}

/** @example '2026-11-16: 1200 of 8000 symbols, TIMEOUT' */
function formatDays(days: DaysProgress | null): string {
  if (days === null) return '-';
  const { session, unit, total, done, completed_session: completed, last_fault: fault } = days;
  const progress = completed === session ? 'complete' : `${done} of ${total} ${unit}`;
  return `${session}: ${progress}${fault === null ? '' : `, ${fault}`}`;
}

/** @example '2026-11-16 21:03Z' */
function formatTime(instant: string | null | undefined): string {
  return instant ? `${instant.slice(0, 16).replace('T', ' ')}Z` : '-';
}
