import { LruCache } from '../lru-cache.ts';

/** The name by which a statement runs. */
export interface StatementName {
  /** Empty for a statement that is not kept: the database forgets it at the next one. */
  readonly name: string;
  /** Whether the database already has it. */
  readonly isKnown: boolean;
}

const UNNAMED: StatementName = { name: '', isKnown: false };

/** More than the number of repeated statements of the service. Each takes about 30 kB of memory with its plan. */
const MAX_PREPARED = 400;
const MAX_SEEN = 400;

/** Longer texts are batches of rows, which differ by the number of rows. */
const MAX_TEXT_LENGTH = 8_000;

/** Only these have a plan worth keeping; other statements (DDL, SET, SAVEPOINT) are as fast without a name. */
const HAS_PLAN = /^[\s(]*(?:select|insert|update|delete|merge|with)\b/i;

/**
 * Tracks which statements the database holds by name. It sends nothing itself: the caller prepares and closes them.
 *
 * A text gets a name at its second use. Many texts are used only once (lists of varying length, tests, migrations), and
 * each would evict one that is used again.
 */
export class PreparedStatements {
  readonly #seen = new LruCache<string, true>({ maxEntries: MAX_SEEN });
  readonly #names: LruCache<string, string>;
  #dropped: string[] = [];
  #namesUsed = 0;

  constructor(maxPrepared = MAX_PREPARED) {
    this.#names = new LruCache({ maxEntries: maxPrepared });
  }

  /** Returns the name of a text. The caller passes a new name to `remember` once the database has the statement. */
  nameFor(text: string): StatementName {
    const name = this.#names.get(text);
    if (name !== undefined) return { name, isKnown: true };
    if (text.length > MAX_TEXT_LENGTH || !HAS_PLAN.test(text)) return UNNAMED;
    if (this.#seen.get(text) === undefined) {
      this.#seen.set(text, true);
      return UNNAMED;
    }
    // Names are never reused, so that a statement cannot be confused with an earlier one.
    this.#namesUsed += 1;
    return { name: `almanac_${this.#namesUsed}`, isKnown: false };
  }

  remember(text: string, name: string): void {
    this.#dropped.push(...this.#names.set(text, name));
  }

  /** Drops all names after a change of the schema, which may change the meaning of parsed statements. */
  forgetAll(): void {
    this.#dropped.push(...this.#names.clear());
  }

  /** Returns the names that were dropped since the last call, for the database to close. */
  takeDropped(): readonly string[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}
