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
import { checkCheckpoint } from '../../forecasting/index.ts';
import { type Command, type CommandValues, UsageError } from '../command.ts';
import { showPull } from './show-pull.ts';

/** On the files of the data folder alone: no database is needed, and a running service is not disturbed. */
export const modelCommands: Command[] = [
  {
    words: 'models list',
    usage: '',
    help: 'show the checkpoints that are here, and which one new forecasts take',
    positionals: 0,
    options: {},
    async run({ dataFolder, totoCheckpoint }) {
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
    },
  },
  {
    words: 'models verify',
    usage: '[ID]',
    help: 'read and hash the files of all checkpoints, or of one, again; fails when one differs',
    positionals: 0,
    optionalPositionals: 1,
    options: {},
    async run({ dataFolder }, [id]) {
      const report = await verifyCheckpoints(checkpointFolders(dataFolder), { id, check: checkCheckpoint });
      if (report.ok) return report;
      // A result means success; the report is to be printed all the same.
      process.stdout.write(`${JSON.stringify(report)}\n`);
      throw new Fault('UNPROCESSABLE', 'A checkpoint is damaged. The line on standard output says where.');
    },
  },
  {
    words: 'models pull',
    usage: `${CHECKPOINT_MODELS.join('|')} [--from URL --sha256 HEX [--name NAME]]`,
    help: 'download the released checkpoint of a model, or the one at a URL; a download that broke off goes on',
    positionals: 1,
    options: { from: { type: 'string' }, sha256: { type: 'string' }, name: { type: 'string' } },
    async run({ dataFolder }, [word = ''], values) {
      const source = parseSource(modelOf(word), wordsOf(values));
      using shown = showPull(process.stderr);
      const options = { ...shown, check: checkCheckpoint };
      const { checkpoint, already } = await pullCheckpoint(checkpointFolders(dataFolder), source, options);
      return { ...manifestOf(checkpoint), already_installed: already };
    },
  },
];

function modelOf(word: string): CheckpointModel {
  const model = CHECKPOINT_MODELS.find((candidate) => candidate === word);
  if (model === undefined) throw new UsageError(`Only ${CHECKPOINT_MODELS.join(', ')} has checkpoints to pull.`);
  return model;
}

function wordsOf(values: CommandValues): { from?: string; sha256?: string; name?: string } {
  return values as { from?: string; sha256?: string; name?: string };
}
