import { LruCache } from '../lru-cache.ts';

/** The name of a prepared statement. */
export interface StatementName {
  /** Empty for a statement that is not kept: the next statement replaces it. */
  readonly name: string;
  /** Whether the database already has the statement. */
  readonly isKnown: boolean;
}

const UNNAMED: StatementName = { name: '', isKnown: false };

/**
 * Maximum number of statements that are kept. The service repeats fewer than this. Each takes about 30 kB of memory.
 */
const MAX_PREPARED = 400;
const MAX_SEEN = 400;

/** Maximum length of a statement that is kept. Longer ones are batches of rows, which are rarely repeated. */
const MAX_TEXT_LENGTH = 8_000;

/**
 * Only these statements have a plan worth keeping. Others, such as DDL, SET and SAVEPOINT, are as fast without a name.
 */
const HAS_PLAN = /^[\s(]*(?:select|insert|update|delete|merge|with)\b/i;

/**
 * Tracks which statements the database has under a name. It sends nothing itself: the caller prepares and closes them.
 *
 * A statement gets a name when it is used for the second time. Many are used only once (lists of varying length, tests,
 * migrations), and each of them would evict one that is used again.
 */
export class PreparedStatements {
  readonly #seen = new LruCache<string, true>({ maxEntries: MAX_SEEN });
  readonly #names: LruCache<string, string>;
  #dropped: string[] = [];
  #namesUsed = 0;

  constructor(maxPrepared = MAX_PREPARED) {
    this.#names = new LruCache({ maxEntries: maxPrepared });
  }

  /** Returns the name of a statement. The caller passes a new name to `remember` once the database has the statement. */
  nameFor(text: string): StatementName {
    const name = this.#names.get(text);
    if (name !== undefined) return { name, isKnown: true };
    if (text.length > MAX_TEXT_LENGTH || !HAS_PLAN.test(text)) return UNNAMED;
    if (this.#seen.get(text) === undefined) {
      this.#seen.set(text, true);
      return UNNAMED;
    }
    // Names are not reused, so that a statement cannot be confused with an earlier one.
    this.#namesUsed += 1;
    return { name: `almanac_${this.#namesUsed}`, isKnown: false };
  }

  remember(text: string, name: string): void {
    this.#dropped.push(...this.#names.set(text, name));
  }

  /** Drops all names after a schema change, because it may change the meaning of parsed statements. */
  forgetAll(): void {
    this.#dropped.push(...this.#names.clear());
  }

  /** Returns the names that were dropped since the last call. The caller closes these statements. */
  takeDropped(): readonly string[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}
