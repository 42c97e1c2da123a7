type State = 'live' | 'revoked';

/** What one account knows of one of its keys. */
interface Entry {
  /** Undefined while a revocation was sent and not answered: both states are right until one has been seen. */
  state: State | undefined;
  readonly secret: string | undefined;
}

/** The keys of one account, as its writer was told. What stands here must be found in the database for ever. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();

  created(id: string, secret: string): void {
    this.#entries.set(id, { state: 'live', secret });
  }

  revoking(id: string): void {
    this.#entry(id).state = undefined;
  }

  revoked(id: string): void {
    this.#entry(id).state = 'revoked';
  }

  get size(): number {
    return this.#entries.size;
  }

  live(): { id: string; secret: string | undefined }[] {
    return [...this.#entries].flatMap(([id, { state, secret }]) => (state === 'live' ? [{ id, secret }] : []));
  }

  revokedSecrets(): string[] {
    return [...this.#entries.values()].flatMap(({ state, secret }) => (state === 'revoked' && secret ? [secret] : []));
  }

  /**
   * Compares with what is stored. Whatever nobody was told (the answer was lost in the kill) is taken over as it was
   * found: from now on it has been seen, and must stay so.
   *
   * @param stored every key of the account; or, where revoked ones cannot be seen, the live ones
   * @returns what is missing or wrong
   */
  compare(stored: ReadonlyMap<string, State>, sees: 'all' | 'live only'): string[] {
    const faults: string[] = [];
    for (const [id, entry] of this.#entries) {
      const found = stored.get(id) ?? (sees === 'live only' ? 'revoked' : undefined);
      if (found === undefined) faults.push(`${id} is gone`);
      else if (entry.state === undefined) entry.state = found;
      else if (entry.state !== found) faults.push(`${id} is ${found}, was acknowledged as ${entry.state}`);
    }
    for (const [id, state] of stored) {
      if (!this.#entries.has(id)) this.#entries.set(id, { state, secret: undefined });
    }
    return faults;
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`${id} is not in the ledger`);
    return entry;
  }
}
