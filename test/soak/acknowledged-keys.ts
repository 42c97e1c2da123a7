type State = 'live' | 'revoked';

/** The acknowledged state of one key. */
interface Entry {
  /** Undefined after a revocation without a response: both states are valid until one is read. */
  state: State | undefined;
  readonly secret: string | undefined;
}

/** The keys of one account that were acknowledged to its writer. The database must keep them forever. */
export class AcknowledgedKeys {
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
   * Compares the acknowledged keys with the stored ones. A stored state that was never acknowledged, because the kill
   * lost the response, is recorded: from now on it must not change.
   *
   * @param stored every key of the account or, if revoked keys are not visible, the live ones
   * @returns the violations
   */
  compare(stored: ReadonlyMap<string, State>, visible: 'all' | 'live only'): string[] {
    const violations: string[] = [];
    for (const [id, entry] of this.#entries) {
      const found = stored.get(id) ?? (visible === 'live only' ? 'revoked' : undefined);
      if (found === undefined) violations.push(`${id} is missing`);
      else if (entry.state === undefined) entry.state = found;
      else if (entry.state !== found) violations.push(`${id} is ${found}, was acknowledged as ${entry.state}`);
    }
    for (const [id, state] of stored) {
      if (!this.#entries.has(id)) this.#entries.set(id, { state, secret: undefined });
    }
    return violations;
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`The key ${id} was never acknowledged.`);
    return entry;
  }
}
