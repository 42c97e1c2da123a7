import { RecentlyUsed } from './recently-used.ts';

/** What to run a statement by. */
export interface StatementName {
  /** Empty for a statement that is not to be kept: the database forgets it when the next one comes. */
  readonly name: string;
  /** Whether the database has it already. */
  readonly isKnown: boolean;
}

const UNNAMED: StatementName = { name: '', isKnown: false };

/** More than the texts of the service that come again. Each takes some 30 kB of the database's memory, with its plan. */
const MAX_PREPARED = 400;
const MAX_SEEN = 400;

/** Longer ones are batches of rows, whose texts differ by the number of rows. */
const LONGEST_TEXT = 8_000;

/** Only these have a plan worth keeping; everything else (DDL, SET, SAVEPOINT) is as fast without a name. */
const HAS_PLAN = /^[\s(]*(?:select|insert|update|delete|merge|with)\b/i;

/**
 * Which statements the database holds by name. It sends nothing: what it says is true once the caller has done it.
 *
 * A text gets a name at its second use. Many texts come only once (lists of changing length, what tests and migrations
 * do), and each would push out one that comes again.
 */
export class PreparedStatements {
  readonly #seen = new RecentlyUsed<string, true>(MAX_SEEN);
  readonly #names: RecentlyUsed<string, string>;
  #dropped: string[] = [];
  #namesGiven = 0;

  constructor(most = MAX_PREPARED) {
    this.#names = new RecentlyUsed(most);
  }

  /** How to run this text now. A name that is not known yet is to be told to `remember` once the database has it. */
  nameFor(text: string): StatementName {
    const name = this.#names.get(text);
    if (name !== undefined) return { name, isKnown: true };
    if (text.length > LONGEST_TEXT || !HAS_PLAN.test(text)) return UNNAMED;
    if (this.#seen.get(text) === undefined) {
      this.#seen.set(text, true);
      return UNNAMED;
    }
    // Never the same name twice: whatever became of an earlier statement, this one cannot be taken for it.
    this.#namesGiven += 1;
    return { name: `almanac_${this.#namesGiven}`, isKnown: false };
  }

  remember(text: string, name: string): void {
    const dropped = this.#names.set(text, name);
    if (dropped !== undefined) this.#dropped.push(dropped);
  }

  /** After a change of the schema: what was parsed before it may mean something else now. */
  forgetAll(): void {
    this.#dropped.push(...this.#names.clear());
  }

  /** The names that are in use no more since the last call, for the database to close. */
  takeDropped(): readonly string[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}
