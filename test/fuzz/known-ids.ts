/** Collects ids from responses, so that later requests can use ids that exist. */
export class KnownIds {
  readonly #ids: string[] = [];
  readonly #excluded: ReadonlySet<string>;

  constructor(excluded: ReadonlySet<string>) {
    this.#excluded = excluded;
  }

  /** Returns one of the ids, or a well-formed one that does not exist. */
  at(index: number): string {
    return this.#ids[index % this.#ids.length] ?? 'key_00000000000000000000000000';
  }

  /** Adds every `id` and `…_id` of a body. */
  addFrom(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      const isId = /^(\w+_)?id$/.test(name) && name !== 'request_id' && typeof value === 'string';
      if (isId && !this.#excluded.has(value)) this.#add(value);
      else this.addFrom(value);
    }
  }

  /** Keeps the latest ids, which most likely still exist. */
  #add(id: string): void {
    if (this.#ids.includes(id)) return;
    this.#ids.push(id);
    if (this.#ids.length > 50) this.#ids.shift();
  }
}
