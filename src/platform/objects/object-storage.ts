/** A storage of objects, each of which is written once and never changed. */
export interface ObjectStorage {
  /** The beginning of the keys of new objects. */
  readonly prefix: string;
  /** Whether new things are stored in it. If not, it is only read. */
  readonly acceptsNew: boolean;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Returns the bytes of an object after checking their number and their hash; null if it does not exist. Throws a
   * `DamagedObjectError` if they differ.
   */
  get(key: string, expected: ObjectContent): Promise<Buffer | null>;
  /** Deletes an object, if it exists. */
  delete(key: string): Promise<void>;
}

/** The content that an object must have. */
export interface ObjectContent {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Stored bytes are not those that were stored, or are missing. The message is for operators. */
export class DamagedObjectError extends Error {
  override readonly name = 'DamagedObjectError';

  /** @param name the key of an object, or the thing in the database */
  constructor(name: string, problem: 'changed' | 'missing' = 'changed') {
    super(
      problem === 'missing' ? `${name} is missing in the object storage.` : `${name} was changed after it was stored.`,
    );
  }
}
