import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** Collects which scripts each page of the console loads. */
export class ScriptBytes {
  readonly #files = new Map<string, Set<string>>();

  /** Runs an action that opens a page, and records the scripts that the browser loads meanwhile. */
  async during<T>(page: Page, name: string, act: () => Promise<T>): Promise<T> {
    const files = this.#files.get(name) ?? new Set();
    this.#files.set(name, files);
    const record = (response: Response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) files.add(pathname);
    };
    page.on('response', record);
    try {
      return await act();
    } finally {
      page.off('response', record);
    }
  }

  /** Returns the bytes of the scripts of each page, as the service compresses them. */
  async sizes(url: string): Promise<(readonly [name: string, bytes: number])[]> {
    return Promise.all(
      [...this.#files].map(async ([name, files]) => {
        const bytes = await Promise.all([...files].map((file) => sizeOf(`${url}${file}`)));
        return [name, bytes.reduce((sum, size) => sum + size, 0)] as const;
      }),
    );
  }
}

async function sizeOf(url: string): Promise<number> {
  const response = await fetch(url);
  return gzipSync(Buffer.from(await response.arrayBuffer())).length;
}
