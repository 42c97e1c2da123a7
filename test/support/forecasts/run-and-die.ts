import { openDatabase } from '../../../src/platform/index.ts';
import { runSession } from '../../../src/screener/index.ts';
import { barsEndingAt, bulkProvider } from '../market/bulk-provider.ts';
import { runScene } from '../screener/screener-runs.ts';

/** Where a worker can be killed: with some closes stored and others not; with every result stored, and the run not ended. */
export const DEATHS = ['between closes', 'before the end'] as const;

export const RUN_SESSION = '2024-03-27';

/** More symbols than are read at once. */
export function manyBars() {
  const bars = barsEndingAt(RUN_SESSION, [5, 20]);
  return bulkProvider(Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`S${i}`, bars])));
}

if (import.meta.main) {
  const [, , url = '', death = ''] = process.argv;
  const database = await openDatabase({ url });
  const provider = manyBars();
  const { fetchDays } = provider.bulk;
  const dying = async () => {
    process.kill(process.pid, 'SIGKILL');
    // Nothing goes on until the signal is there.
    await new Promise(() => {});
  };
  Object.assign(provider.bulk, {
    fetchDays: async (...question: Parameters<typeof fetchDays>) => {
      if (death === 'between closes' && provider.asked.length >= 10) await dying();
      return fetchDays(...question);
    },
  });
  const { context } = runScene({ database }, [provider], () => dying());
  await runSession(context, RUN_SESSION, { isLast: false });
}
