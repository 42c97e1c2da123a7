import { z } from 'zod';
import type { FillState, ProviderCheck, ProviderView } from '../../market/index.ts';
import { PROVIDER_IDS, PROVIDER_KEY_SETTINGS } from '../../platform/index.ts';
import { adminCommand, FailedCheckError, JSON_OPTION } from '../command.ts';
import { providerUnused } from '../faults.ts';
import { formatColumns } from '../help.ts';
import { remedyFor } from './provider-remedies.ts';

const loadCompose = () => import('../../compose/index.ts');
const loadMarket = () => import('../../market/index.ts');

/** A provider with the progress of the bulk read of its daily bars; null if there was none. */
export type ListedProvider = ProviderView & { readonly days: DaysProgress | null };

type DaysProgress = Pick<FillState, 'session' | 'unit' | 'total' | 'done' | 'completed_session' | 'last_fault'>;

interface ProviderList {
  readonly providers: readonly ListedProvider[];
}

/** The result of `providers check`. */
export interface CheckReport {
  readonly providers: readonly CheckResult[];
}

interface CheckResult {
  readonly id: string;
  readonly ok: boolean;
  readonly symbol: string;
  readonly newest: { readonly date: string; readonly close: number } | null;
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
      'Lists the providers of market data: whether they are used, their state, requests left, listings and daily bars.',
    example: 'providers list',
    input: z.strictObject({}),
    readInput: () => ({}),
    async execute(foundation): Promise<ProviderList> {
      const [{ listKnownProviders }, market] = await Promise.all([loadCompose(), loadMarket()]);
      const known = listKnownProviders(foundation, foundation.providers);
      const providers = await market.reportProviders(foundation, known, { withStates: true });
      const fills = await market.readFillProgress(foundation.database);
      return { providers: providers.map((one) => ({ ...one, days: viewDays(fills.get(one.id)) })) };
    },
    formatResult: (result) => formatProviders((result as ProviderList).providers),
  }),
  adminCommand({
    name: 'providers check',
    arguments: [{ name: 'NAME', isOptional: true }],
    options: JSON_OPTION,
    summary: 'Reads daily bars from one provider, or from every configured one; fails if one fails.',
    example: 'providers check dukascopy',
    input: z.strictObject({
      name: z.enum(PROVIDER_IDS, { error: `must be one of ${PROVIDER_IDS.join(', ')}` }).optional(),
    }),
    readInput: ([name]) => ({ name }),
    async execute({ database, clock, providers }, { name }): Promise<CheckReport> {
      const { checkProvider } = await loadMarket();
      const chosen = providers.filter(({ id }) => name === undefined || id === name);
      if (name !== undefined && chosen.length === 0) throw providerUnused(name, PROVIDER_KEY_SETTINGS[name]);
      const checks = await Promise.all(chosen.map((provider) => checkProvider({ database, clock }, provider)));
      return { providers: checks.map(viewCheck) };
    },
    formatResult: (result) => formatChecks((result as CheckReport).providers),
    async checkResult(result) {
      const failed = (result as CheckReport).providers.filter(({ ok }) => !ok).map(({ id }) => id);
      if (failed.length > 0) throw new FailedCheckError(result, `The check of ${failed.join(' and ')} failed.`);
    },
  }),
];

function viewCheck({ provider: id, symbol, newest, error, isOpen }: ProviderCheck): CheckResult {
  const isOk = error === null && newest !== null;
  return {
    id,
    ok: isOk,
    symbol,
    newest: newest && { date: new Date(newest.timestamp).toISOString().slice(0, 10), close: newest.close },
    fault: error?.fault ?? (isOk ? null : 'NO_BARS'),
    problem: isOk ? null : (error?.message ?? `${id} returned no daily bars of ${symbol}.`),
    remedy: isOk ? null : remedyFor(id, error?.fault ?? null),
    breaker_open: isOpen,
  };
}

function formatChecks(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return 'No provider is configured.\n';
  const rows = checks.map(({ id, ok, symbol, newest, problem, remedy, breaker_open: isOpen }) => {
    const outcome =
      newest === null ? `${problem} ${remedy}` : `newest daily bar of ${symbol}: ${newest.date}, close ${newest.close}`;
    return [id, ok ? 'ok' : 'failed', isOpen ? `${outcome} (other requests wait: its breaker is open)` : outcome];
  });
  return `${formatColumns(rows, '')}\n`;
}

/** The columns of the list, in order. */
const COLUMNS: readonly (readonly [heading: string, cell: (provider: ListedProvider) => string])[] = [
  ['PROVIDER', ({ id }) => id],
  ['USED', ({ configured }) => (configured ? 'yes' : 'no')],
  ['STATE', ({ state = '' }) => state],
  ['LAST SUCCESS', ({ last_success_at: at }) => formatTime(at)],
  ['LAST FAILURE', ({ last_failure: failure }) => (failure ? `${failure.fault} ${formatTime(failure.at)}` : '-')],
  ['REQUESTS LEFT', ({ requests_left: left }) => String(left ?? '-')],
  ['DELAY', ({ delay_minutes: minutes }) => `${minutes} min`],
  ['LISTING', ({ listing }) => formatListing(listing)],
  ['DAYS', ({ days }) => formatDays(days)],
];

function formatProviders(providers: readonly ListedProvider[]): string {
  const headings = COLUMNS.map(([heading]) => heading);
  return `${formatColumns([headings, ...providers.map((one) => COLUMNS.map(([, cell]) => cell(one)))], '')}\n`;
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
