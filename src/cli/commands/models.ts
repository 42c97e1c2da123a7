import type { Checkpoint, CheckpointModel, PullEvent } from '../../compute/index.ts';
import type { Config } from '../../platform/index.ts';
import { type CommandValues, FailedCheckError, type LocalCommand, type Terminal, UsageError } from '../command.ts';
import { startProgress } from '../progress.ts';

const loadCompute = () => import('../../compute/index.ts');
const loadEngine = () => import('../../engine/index.ts');

type Settings = Pick<Config, 'dataFolder' | 'totoCheckpoint' | 'outboundAllow'>;

/** These commands use only files, so they need no database and do not affect a running service. */
export const modelCommands: LocalCommand[] = [
  {
    name: 'models list',
    arguments: [],
    options: {},
    summary: 'Lists the checkpoints, the one that new forecasts use, and the engines of earlier versions.',
    example: 'models list',
    run: listModels,
  },
  {
    name: 'models verify',
    arguments: [{ name: 'ID', isOptional: true }],
    options: {},
    summary: 'Reads and hashes the files of one checkpoint, or of all and of the engines; fails if one is damaged.',
    example: 'models verify toto-2.0-4m@316660d5afb4-0f1f6a5b',
    run: verifyModels,
  },
  {
    name: 'models pull',
    arguments: [{ name: 'MODEL' }],
    options: {
      from: {
        type: 'string',
        value: 'URL',
        format: 'URL',
        default: 'the release',
        help: 'the folder to download from',
      },
      sha256: {
        type: 'string',
        value: 'HEX',
        format: 'hex',
        default: 'of the release',
        help: 'the hash of the weights; with --from',
      },
      name: {
        type: 'string',
        value: 'NAME',
        default: 'of the release, or the model',
        help: 'the name of the checkpoint; with --from',
      },
    },
    summary: 'Downloads and installs a checkpoint of a model (toto); an interrupted download is resumed.',
    example: 'models pull toto',
    run: pullModel,
  },
];

async function listModels({ dataFolder, totoCheckpoint }: Settings): Promise<object> {
  const [compute, { checkCheckpoint }] = await Promise.all([loadCompute(), loadEngine()]);
  const folders = compute.checkpointFolders(dataFolder);
  const { checkpoints, broken } = await compute.scanCheckpoints(folders);
  const soundness = new compute.CheckpointSoundness({
    check: async (files) => checkCheckpoint(files),
    onDamaged: ({ folder }, problem) => broken.push({ folder, problem }),
  });
  const isSound = (checkpoint: Checkpoint) => soundness.isSound(checkpoint);
  const toto = await compute.defaultCheckpoint(folders, 'toto', { chosenId: totoCheckpoint, isSound });
  const engines = compute.openEngineBundles();
  const bundles = await engines.list();
  return {
    checkpoints: checkpoints.map((checkpoint) => ({ ...compute.toManifest(checkpoint), origin: checkpoint.origin })),
    broken,
    default: { toto: toto?.id ?? null },
    engines: { present: engines.present, bundles: bundles.map(({ version, sha256 }) => ({ version, sha256 })) },
  };
}

async function verifyModels({ dataFolder }: Settings, [id]: readonly string[]): Promise<object> {
  const [compute, { checkCheckpoint }] = await Promise.all([loadCompute(), loadEngine()]);
  const folders = compute.checkpointFolders(dataFolder);
  const found = await compute.verifyCheckpoints(folders, { id, check: checkCheckpoint });
  const engines = id === undefined ? await compute.verifyEngines(compute.openEngineBundles()) : [];
  const ok = found.ok && engines.every((engine) => engine.ok);
  const report = { ...found, ok, ...(id === undefined && { engines }) };
  if (ok) return report;
  throw new FailedCheckError(report, 'A checkpoint or an engine is damaged. The line on standard output shows where.');
}

async function pullModel(
  { dataFolder, outboundAllow }: Settings,
  [word = '']: readonly string[],
  values: CommandValues,
  { stderr }: Terminal,
): Promise<object> {
  const [compute, { checkCheckpoint }] = await Promise.all([loadCompute(), loadEngine()]);
  const model = compute.CHECKPOINT_MODELS.find((candidate): candidate is CheckpointModel => candidate === word);
  if (model === undefined) {
    throw new UsageError(`Only ${compute.CHECKPOINT_MODELS.join(', ')} has checkpoints to pull.`);
  }
  const source = compute.parseSource(model, values as { from?: string; sha256?: string; name?: string });
  using progress = startProgress(stderr);
  const { checkpoint, wasInstalled: already } = await compute.pullCheckpoint(
    compute.checkpointFolders(dataFolder),
    source,
    {
      check: checkCheckpoint,
      allow: outboundAllow,
      signal: progress.signal,
      onEvent: (event) => {
        if (event.kind === 'note') progress.note(event.text);
        else progress.show(formatDownload(event), event.received === event.total);
      },
    },
  );
  return { ...compute.toManifest(checkpoint), already_installed: already };
}

/** @example '8.3 of 16.6 MB, 50 %, 2.1 MB/s' */
export function formatDownload({ received, total, rate }: Extract<PullEvent, { kind: 'progress' }>): string {
  const speed = `${formatMegabytes(rate)} MB/s`;
  if (total === undefined) return `${formatMegabytes(received)} MB, ${speed}`;
  const percent = total === 0 ? 100 : Math.floor((100 * received) / total);
  return `${formatMegabytes(received)} of ${formatMegabytes(total)} MB, ${percent} %, ${speed}`;
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
