import { open } from 'node:fs/promises';
import { checkpointsOf, openBundledMarket } from '../../compose/index.ts';
import { checkpointFolders, readFingerprint, startEngine } from '../../compute/index.ts';
import { Fault } from '../../contract/index.ts';
import { DEFAULT_MODELS } from '../../engine/index.ts';
import { type Config, createLog } from '../../platform/index.ts';
import { historyOf, planCutoffs, replayCsv, reportReplay, runReplay } from '../../scout/index.ts';
import type { CommandValues } from '../command.ts';
import { progressLine } from './progress-line.ts';
import { readReplayOptions } from './replay-options.ts';

/** Forecasts a bundled history at past cut-offs and scores the answers. */
export async function replayHistory(config: Config, values: CommandValues): Promise<object> {
  const options = readReplayOptions(values);
  const { symbol, cutoffs: count, horizons, changes, rows, before } = options;
  const source = { type: 'market', symbol, provider: 'bundled', timeframe: '1D' } as const;
  const read = await openBundledMarket().read(source, {});
  const history = historyOf(read);
  const plan = { rows: history.values.length, before, after: Math.max(...horizons), cutoffs: count };
  const cutoffs = planCutoffs(plan);
  // Before the work: whether it can be written is known then, too.
  await using file = options.csv === undefined ? undefined : await openFile(options.csv);
  const current = await checkpointsOf(config, createLog('warn')).current();
  const models = DEFAULT_MODELS.filter((model) => current.has(model));
  const checkpoints = Object.fromEntries(models.map((model) => [model, current.get(model)?.id ?? '']));
  using shown = progressLine(process.stderr);
  const engine = await startEngine({ checkpoints: checkpointFolders(config.dataFolder) });
  try {
    const settings = { horizons, changes, rows, models, checkpoints };
    const replayed = await runReplay(engine, history, cutoffs, settings, {
      signal: shown.signal,
      onProgress: ({ done, total, forecast }) =>
        shown.show(done, total, `${forecast.horizon} sessions after ${forecast.cutoff.slice(0, 10)}`),
    });
    await file?.writeFile(replayCsv(replayed));
    return {
      source: read.about.source,
      settings: { ...settings, before },
      fingerprint: readFingerprint(models),
      ...reportReplay(replayed),
    };
  } catch (error) {
    if (!shown.signal.aborted) throw error;
    throw new Fault('UNAVAILABLE', 'The replay was stopped.');
  } finally {
    await engine.close();
  }
}

async function openFile(path: string) {
  try {
    return await open(path, 'w');
  } catch (error) {
    throw new Fault('INVALID_REQUEST', `--csv: ${path} cannot be written: ${(error as Error).message}.`);
  }
}
