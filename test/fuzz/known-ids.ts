/** Ids that answers have shown, so that later requests can ask for things that exist. */
export class KnownIds {
  readonly #ids: string[] = [];
  readonly #kept: ReadonlySet<string>;

  constructor(kept: ReadonlySet<string>) {
    this.#kept = kept;
  }

  /** One of them, or something that looks like one. */
  at(place: number): string {
    return this.#ids[place % this.#ids.length] ?? 'key_00000000000000000000000000';
  }

  /** Takes every `id` and `…_id` of a body. */
  learn(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      const isId = /^(\w+_)?id$/.test(name) && name !== 'request_id' && typeof value === 'string';
      if (isId && !this.#kept.has(value)) this.#remember(value);
      else this.learn(value);
    }
  }

  /** The latest are the likeliest to exist still. */
  #remember(id: string): void {
    if (this.#ids.includes(id)) return;
    this.#ids.push(id);
    if (this.#ids.length > 50) this.#ids.shift();
  }
}
