import { createHash } from 'node:crypto';
import { LruCache } from '../../../platform/index.ts';

/** A rendered page or file. */
export interface Publication {
  readonly body: string | Uint8Array;
  /** A hash of the body in quotes. */
  readonly etag: string;
}

function publish(body: string | Uint8Array): Publication {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** What a rendering returns. */
export interface Rendered {
  readonly body: string | Uint8Array;
  /** The version of the content that was rendered. */
  readonly version: string;
}

interface Entry {
  readonly version: string;
  readonly rendering: Promise<Publication | null>;
  bytes: number;
}

const MAX_ENTRIES = 500;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Keeps rendered pages in memory, each with the version that it was rendered from. Concurrent requests for one version
 * share one rendering, so that a page that many people open together costs as much as one request.
 */
export class Publications {
  readonly #entries = new LruCache<string, Entry>({
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    sizeOf: ({ bytes }) => bytes,
  });

  /**
   * Returns the page of this version. If the content has changed since, returns the changed page and does not keep it.
   *
   * @param version as the database has it now
   * @param render returns null if the page no longer exists
   */
  read(key: string, version: string, render: () => Promise<Rendered | null>): Promise<Publication | null> {
    const kept = this.#entries.get(key);
    if (kept?.version === version) return kept.rendering;
    const rendered = render();
    const rendering = rendered.then((page) => page && publish(page.body));
    const entry: Entry = { version, rendering, bytes: 0 };
    this.#entries.set(key, entry);
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    rendered.then((page) => {
      if (page?.version !== version) return forget();
      entry.bytes = page.body.length;
      // Stored again, so that the limit takes the size into account.
      if (this.#entries.get(key) === entry) this.#entries.set(key, entry);
    }, forget);
    return rendering;
  }
}
