import { setFlagsFromString } from 'node:v8';

const FLAGS = ['wasm-dynamic-tiering', 'wasm-tier-up'];

/**
 * Runs `work` with V8's optimising compiler kept away from the WebAssembly functions that are first called in it.
 *
 * PGlite's start calls, among others, the SQL parser, a function of 100 kB. Optimising it takes a core for more than a
 * second, just when the service wants to start, and 900 MB of memory; small queries then take as long as before.
 */
export async function withoutTierUp<T>(work: () => Promise<T>): Promise<T> {
  for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`);
  try {
    return await work();
  } finally {
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
  }
}
