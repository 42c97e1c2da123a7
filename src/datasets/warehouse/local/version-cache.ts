/** What changes when a file is written or replaced. */
export interface FileVersion {
  readonly path: string;
  readonly size: number;
  readonly modifiedNs: bigint;
  readonly inode: bigint;
}

/** Keeps values of files that were used last, up to a total weight. A file that has changed has no value. */
export class VersionCache<Value> {
  readonly #maxWeight: number;
  readonly #weigh: (value: Value) => number;
  // A Map iterates in insertion order, and each use inserts the entry again.
  readonly #values = new Map<string, Value>();
  #weight = 0;

  constructor(maxWeight: number, weigh: (value: Value) => number) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get(file: FileVersion): Value | undefined {
    const key = versionKey(file);
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(file: FileVersion, value: Value): void {
    const key = versionKey(file);
    const replaced = this.#values.get(key);
    if (replaced !== undefined) this.#remove(key, replaced);
    this.#values.set(key, value);
    this.#weight += this.#weigh(value);
    for (const [oldest, evicted] of this.#values) {
      if (this.#weight <= this.#maxWeight) break;
      this.#remove(oldest, evicted);
    }
  }

  #remove(key: string, value: Value): void {
    this.#values.delete(key);
    this.#weight -= this.#weigh(value);
  }
}

/** Returns a text that changes when a file is written or replaced. */
export function versionKey({ path, size, modifiedNs, inode }: FileVersion): string {
  return [path, size, modifiedNs, inode].join('\n');
}

export function isSameVersion(one: FileVersion, other: FileVersion): boolean {
  return versionKey(one) === versionKey(other);
}
