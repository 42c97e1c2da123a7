/** A map with room for a fixed number of entries: to make room, the one that was used the longest ago goes. */
export class RecentlyUsed<Key, Value> {
  readonly #room: number;
  // A Map iterates in the order of insertion; each use inserts its entry anew, so the first is the one to go.
  readonly #entries = new Map<Key, Value>();

  constructor(room: number) {
    this.#room = room;
  }

  /** The value, which counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** @returns the value that had to go, if one had to. */
  set(key: Key, value: Value): Value | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#room) return undefined;
    const [oldest] = this.#entries;
    if (oldest === undefined) return undefined;
    this.#entries.delete(oldest[0]);
    return oldest[1];
  }

  /** Empties it. @returns all values that were in it. */
  clear(): Value[] {
    const values = [...this.#entries.values()];
    this.#entries.clear();
    return values;
  }
}
