import {
  CHECKPOINT_MODELS,
  type Checkpoint,
  type CheckpointModel,
  checkpointFolders,
  defaultCheckpoint,
  manifestOf,
  parseSource,
  pullCheckpoint,
  Soundness,
  scanCheckpoints,
  verifyCheckpoints,
} from '../../compute/index.ts';
import { Fault } from '../../contract/index.ts';
import { checkCheckpoint } from '../../engine/index.ts';
import type { Config } from '../../platform/index.ts';
import { type CommandValues, UsageError } from '../command.ts';
import { showPull } from './show-pull.ts';

type Settings = Pick<Config, 'dataFolder' | 'totoCheckpoint'>;

/** What is here, and which one new forecasts take. */
export async function listModels({ dataFolder, totoCheckpoint }: Settings): Promise<object> {
  const folders = checkpointFolders(dataFolder);
  const { checkpoints, broken } = await scanCheckpoints(folders);
  const soundness = new Soundness({
    check: checkCheckpoint,
    onDamaged: ({ folder }, problem) => broken.push({ folder, problem }),
  });
  const isSound = (checkpoint: Checkpoint) => soundness.isSound(checkpoint);
  const toto = await defaultCheckpoint(folders, 'toto', { wanted: totoCheckpoint, isSound });
  return {
    checkpoints: checkpoints.map((checkpoint) => ({ ...manifestOf(checkpoint), origin: checkpoint.origin })),
    broken,
    default: { toto: toto?.id ?? null },
  };
}

/** @param id of one; left out: all */
export async function verifyModels({ dataFolder }: Settings, id: string | undefined): Promise<object> {
  const report = await verifyCheckpoints(checkpointFolders(dataFolder), { id, check: checkCheckpoint });
  if (report.ok) return report;
  // A result means success; the report is to be printed all the same.
  process.stdout.write(`${JSON.stringify(report)}\n`);
  throw new Fault('UNPROCESSABLE', 'A checkpoint is damaged. The line on standard output says where.');
}

export async function pullModel({ dataFolder }: Settings, word: string, values: CommandValues): Promise<object> {
  const source = parseSource(modelOf(word), wordsOf(values));
  using shown = showPull(process.stderr);
  const options = { ...shown, check: checkCheckpoint };
  const { checkpoint, already } = await pullCheckpoint(checkpointFolders(dataFolder), source, options);
  return { ...manifestOf(checkpoint), already_installed: already };
}

function modelOf(word: string): CheckpointModel {
  const model = CHECKPOINT_MODELS.find((candidate) => candidate === word);
  if (model === undefined) throw new UsageError(`Only ${CHECKPOINT_MODELS.join(', ')} has checkpoints to pull.`);
  return model;
}

function wordsOf(values: CommandValues): { from?: string; sha256?: string; name?: string } {
  return values as { from?: string; sha256?: string; name?: string };
}
