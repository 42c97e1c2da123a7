import { openDatabase } from '../../../src/platform/index.ts';
import { runSession } from '../../../src/screener/index.ts';
import { barsEndingAt, bulkProvider } from '../market/bulk-provider.ts';
import { openRunScene } from './run-scene.ts';

/** Where a worker is killed: with only some closes stored, or with all results stored but the run not completed. */
export const CRASH_POINTS = ['between closes', 'before completion'] as const;

export const RUN_SESSION = '2024-03-27';

/** Returns a provider with more symbols than one batch holds. */
export function createLargeProvider() {
  const bars = barsEndingAt(RUN_SESSION, [5, 20]);
  return bulkProvider(Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`S${i}`, bars])));
}

if (import.meta.main) {
  const [, , url = '', crashPoint = ''] = process.argv;
  const database = await openDatabase({ url });
  const provider = createLargeProvider();
  const { fetchDays } = provider.bulk;
  const crash = async () => {
    process.kill(process.pid, 'SIGKILL');
    // Blocks until the signal is delivered.
    await new Promise(() => {});
  };
  Object.assign(provider.bulk, {
    fetchDays: async (...request: Parameters<typeof fetchDays>) => {
      if (crashPoint === 'between closes' && provider.queries.length >= 10) await crash();
      return fetchDays(...request);
    },
  });
  const { context } = openRunScene({ database }, [provider], () => crash());
  await runSession(context, RUN_SESSION, { isPast: false });
}
