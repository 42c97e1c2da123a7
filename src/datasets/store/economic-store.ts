import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';
import { canonicalJson } from '../../contract/index.ts';
import { type Clock, type Database, type Log, LruCache, waitUnlessAborted } from '../../platform/index.ts';
import type { StoreTables } from './tables.ts';

/** The time for which a reply is used instead of a new request. */
const LIFETIME_MS = 6 * HOUR_MS;
/** Changes when the JSON of stored values changes, so that an earlier build's values are not read. */
const FORM = 1;
const MAX_JSON_BYTES = 64 * 1024 * 1024;
// The checksum makes the decompression of changed bytes fail.
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export interface StoreContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Returns when a series was last updated according to the listing of its provider; null if that is unknown. */
  readonly lastUpdateOf: (provider: string, seriesId: string) => Promise<string | null>;
  /** Returns whether the same request would probably fail again. Default: no error is remembered. */
  readonly isLasting?: (error: unknown) => boolean;
}

/** A request to a provider whose answer can be stored. */
export interface StorableRequest {
  readonly provider: string;
  readonly seriesId: string;
  /** Distinguishes the requests for one series. */
  readonly what: object;
}

/** Answers requests from the database if the same request was answered within the last six hours. */
export interface EconomicStore {
  /**
   * Returns the stored value of a request, or fetches it. It is fetched if it is older than six hours, or if the listing
   * of the provider states a later update than when it was read. Concurrent calls for the same request share one fetch,
   * which continues if one of them aborts. Null, and an error that `isLasting` names, are remembered for a minute in
   * this process: repeating such a request would use up the budget of the provider, or open its breaker.
   *
   * @param maxAgeMs the value is also fetched if it is older than this
   */
  read<Value extends object>(
    request: StorableRequest,
    fetchValue: () => Promise<Value | null>,
    signal?: AbortSignal,
    maxAgeMs?: number,
  ): Promise<Value | null>;
  /** Returns the stored value of a request as `read` would, but never fetches it; null if none is stored. */
  readStored<Value extends object>(request: StorableRequest): Promise<Value | null>;
}

/** Returns a store that never fetches, so that a provider with it gets no requests: it has only what is stored. */
export function withoutFetches({ readStored }: EconomicStore): EconomicStore {
  return { read: (request) => readStored(request), readStored };
}

/** A request that has no value to store: the series does not exist, or the provider sent an unusable reply. */
interface Absence {
  readonly until: number;
  /** Undefined if the series does not exist. */
  readonly error: unknown;
}

const ABSENCE_MS = MINUTE_MS;
const MAX_ABSENCES = 5_000;

export function createEconomicStore(context: StoreContext): EconomicStore {
  const { database, clock, log, lastUpdateOf, isLasting = () => false } = context;
  const running = new Map<string, Promise<object | null>>();
  const absences = new LruCache<string, Absence>({ maxEntries: MAX_ABSENCES });

  function rememberAbsence(name: string, error?: unknown): void {
    absences.set(name, { until: clock.now().getTime() + ABSENCE_MS, error });
  }

  function findAbsence(name: string): Absence | undefined {
    const absence = absences.get(name);
    const left = (absence?.until ?? 0) - clock.now().getTime();
    return left > 0 && left <= ABSENCE_MS ? absence : undefined;
  }

  async function findListedUpdate(provider: string, seriesId: string): Promise<Date | null> {
    const update = await lastUpdateOf(provider, seriesId);
    return update === null ? null : new Date(update);
  }

  async function load(
    provider: string,
    key: string,
    listedUpdate: Date | null,
    maxAgeMs: number,
  ): Promise<object | null> {
    const row = await database
      .query<StoreTables>()
      .selectFrom('economic_store')
      .select(['read_at', 'listed_update', 'body'])
      .where('provider', '=', provider)
      .where('key', '=', key)
      .executeTakeFirst();
    if (row === undefined) return null;
    const age = clock.now().getTime() - row.read_at.getTime();
    // The clock may have been set back since.
    const isFresh = age < maxAgeMs && age > -MINUTE_MS;
    const isUpdated = (listedUpdate?.getTime() ?? 0) > (row.listed_update?.getTime() ?? 0);
    if (!isFresh || isUpdated) return null;
    try {
      return JSON.parse((await decompress(row.body, { maxOutputLength: MAX_JSON_BYTES })).toString());
    } catch (error) {
      log.warn({ err: error, provider }, 'a stored reply is damaged; it is requested again');
      return null;
    }
  }

  async function save(provider: string, key: string, listedUpdate: Date | null, value: object): Promise<void> {
    const body = await compress(JSON.stringify(value), COMPRESSION);
    const now = clock.now();
    await sql`
      INSERT INTO economic_store (provider, key, read_at, listed_update, body)
      VALUES (${provider}, ${key}, ${now}, ${listedUpdate}, ${body})
      ON CONFLICT (provider, key) DO UPDATE
      SET read_at = excluded.read_at, listed_update = excluded.listed_update, body = excluded.body
    `.execute(database.query());
  }

  async function readOrFetch(
    { provider, seriesId }: StorableRequest,
    key: string,
    fetchValue: () => Promise<object | null>,
    maxAgeMs: number,
  ): Promise<object | null> {
    // Read before the request, so that an update during the request counts as a later one.
    const listedUpdate = await findListedUpdate(provider, seriesId);
    const stored = await load(provider, key, listedUpdate, maxAgeMs);
    if (stored !== null) return stored;
    const name = formatName(provider, key);
    const absence = findAbsence(name);
    if (absence?.error !== undefined) throw absence.error;
    if (absence !== undefined) return null;
    const value = await fetchValue().catch((error: unknown) => {
      if (isLasting(error)) rememberAbsence(name, error);
      throw error;
    });
    if (value === null) {
      rememberAbsence(name);
      return null;
    }
    try {
      await save(provider, key, listedUpdate, value);
    } catch (error) {
      log.warn({ err: error, provider }, 'storing a reply failed; the next request is sent again');
    }
    // A stored value is parsed again for each caller; this one is shared.
    return value;
  }

  return {
    async read<Value extends object>(
      request: StorableRequest,
      fetchValue: () => Promise<Value | null>,
      signal?: AbortSignal,
      maxAgeMs = LIFETIME_MS,
    ) {
      signal?.throwIfAborted();
      const key = hashRequest(request);
      // A read that accepts an older value may answer with the stored one, so that others must not share it.
      const name = `${formatName(request.provider, key)} ${maxAgeMs}`;
      let result = running.get(name);
      if (result === undefined) {
        result = readOrFetch(request, key, fetchValue, maxAgeMs).finally(() => running.delete(name));
        running.set(name, result);
        // Every caller may have aborted when it fails.
        result.catch(() => {});
      }
      return (await waitUnlessAborted(result, signal)) as Value | null;
    },
    async readStored<Value extends object>(request: StorableRequest) {
      const { provider, seriesId } = request;
      const listedUpdate = await findListedUpdate(provider, seriesId);
      return (await load(provider, hashRequest(request), listedUpdate, LIFETIME_MS)) as Value | null;
    },
  };
}

function formatName(provider: string, key: string): string {
  return `${provider} ${key}`;
}

function hashRequest({ seriesId, what }: StorableRequest): string {
  return createHash('sha256')
    .update(canonicalJson({ form: FORM, seriesId, what }))
    .digest('hex');
}

/** Replies that are this old are removed. */
const KEEP_MS = 24 * HOUR_MS;
/** The size of all replies together. The oldest are removed first. */
const MAX_STORE_BYTES = 256 * 1024 * 1024;

/** Removes replies that are outdated, and the oldest ones if all together are too large. */
export async function removeOldReplies(
  { database, clock }: Pick<StoreContext, 'database' | 'clock'>,
  { maxBytes = MAX_STORE_BYTES }: { readonly maxBytes?: number } = {},
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEEP_MS);
  await sql`DELETE FROM economic_store WHERE read_at < ${before}`.execute(database.query());
  await sql`
    DELETE FROM economic_store AS stored USING (
      SELECT provider, key, sum(length(body)) OVER (ORDER BY read_at DESC, provider, key) AS bytes FROM economic_store
    ) AS newer
    WHERE stored.provider = newer.provider AND stored.key = newer.key AND newer.bytes > ${maxBytes}
  `.execute(database.query());
}
