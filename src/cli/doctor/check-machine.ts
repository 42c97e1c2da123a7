import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, IS_PRIVATE_FILE } from '../../platform/index.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const MIB = 1024 ** 2;
/** Below this, a week of bars, uploads and backups can fill the disk. */
const LOW_MIB = 1_024;

/** Checks the free space of the disk of the data folder. */
export async function checkSpace({ dataFolder, databaseUrl, minFreeMib }: Config): Promise<Finding> {
  // Before the first start, the disk is that of the nearest folder that exists.
  let folder = dataFolder;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const message = `${free} MiB are free on the disk of ${dataFolder}.`;
  const step = 'Free some space, or set ALMANAC_DATA to a folder on another disk.';
  if (databaseUrl === undefined && free < minFreeMib) {
    return problem('space', `${message} The embedded database needs ${minFreeMib} MiB to accept writes.`, step);
  }
  return free < Math.max(LOW_MIB, minFreeMib) ? warning('space', message, step) : ok('space', message);
}

const OTHERS_MAY_READ = 0o077;
const OTHERS_MAY_ENTER = 0o011;

/** Checks that other users of the machine can read neither the data folder nor files with secrets. */
export async function checkFileModes({ dataFolder, stamps, warehouse, secretFiles }: Config): Promise<Finding[]> {
  const inData = existsSync(dataFolder) ? readdirSync(dataFolder).filter((name) => IS_PRIVATE_FILE.test(name)) : [];
  const paths = [
    dataFolder,
    ...inData.map((name) => join(dataFolder, name)),
    ...(stamps.stamper?.kind === 'chain' ? [stamps.stamper.keyPath] : []),
    ...(warehouse.bigquery ? [warehouse.bigquery.credentialsPath] : []),
  ];
  const open = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.mode & OTHERS_MAY_READ) !== 0 ? [{ path, found }] : [];
  });
  // Files in a folder that others cannot enter are safe.
  const isDataClosed = !open.some(({ path }) => path === dataFolder);
  const exposed = open.filter(({ path }) => !isDataClosed || dirname(path) !== dataFolder);
  const warnings = secretFiles.flatMap(({ name, path }) => checkSecretFile(name, path));
  if (exposed.length === 0 && warnings.length > 0) return warnings;
  if (exposed.length === 0)
    return [ok('files', 'Other users can read neither the data folder nor files with secrets.')];
  const problems = exposed.map(({ path, found }) => {
    const mode = formatMode(found.mode);
    const wanted = found.isDirectory() ? '700' : '600';
    return problem('files', `Other users of this machine can open ${path} (mode ${mode}).`, `chmod ${wanted} ${path}`);
  });
  return [...problems, ...warnings];
}

function formatMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}

/** Warns about the file of a setting that others can read. It is a warning, because a platform may decide its mode. */
function checkSecretFile(name: string, path: string): Finding[] {
  const [file, folder] = [path, dirname(path)].map((each) => statSync(each, { throwIfNoEntry: false }));
  const isExposed =
    file !== undefined &&
    folder !== undefined &&
    (file.mode & OTHERS_MAY_READ) !== 0 &&
    (folder.mode & OTHERS_MAY_ENTER) !== 0;
  if (!isExposed) return [];
  const message = `Other users of this machine can read ${path} (mode ${formatMode(file.mode)}), which has ${name}.`;
  return [warning('files', message, `chmod 600 ${path}, or mount it with a mode that only the service can read.`)];
}

/** Checks that the checkpoint that new forecasts use is there, and that no checkpoint is damaged. */
export async function checkCheckpoints({ dataFolder, totoCheckpoint }: Config): Promise<Finding[]> {
  const [compute, { checkCheckpoint }] = await Promise.all([
    import('../../compute/index.ts'),
    import('../../engine/index.ts'),
  ]);
  const folders = compute.checkpointFolders(dataFolder);
  const { checkpoints, broken } = await compute.scanCheckpoints(folders);
  const soundness = new compute.CheckpointSoundness({
    check: async (files) => checkCheckpoint(files),
    onDamaged: ({ folder }, found) => broken.push({ folder, problem: found }),
  });
  const isSound = (one: (typeof checkpoints)[number]) => soundness.isSound(one);
  const used = await compute.defaultCheckpoint(folders, 'toto', { chosenId: totoCheckpoint, isSound });
  const damaged = broken.map(({ folder, problem: found }) => {
    const step = 'Remove the folder, then run almanac models pull toto.';
    return warning('checkpoints', `The checkpoint in ${folder} is damaged: ${found}`, step);
  });
  if (used === null) {
    const chosen =
      totoCheckpoint === undefined ? 'No sound checkpoint of toto is there' : `${totoCheckpoint} is not there`;
    const step = 'Run almanac models pull toto, or correct ALMANAC_TOTO_CHECKPOINT.';
    return [problem('checkpoints', `${chosen}; forecasts run without this model.`, step), ...damaged];
  }
  return damaged.length > 0 ? damaged : [ok('checkpoints', `New forecasts use ${used.id}.`)];
}
