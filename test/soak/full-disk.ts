import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../support/cli/service.ts';
import type { Tally } from './kill-rounds.ts';

const DISK_MIB = 220;
const FREE_MIB = 14;
const UPLOADS = 20;
const WAIT_MS = 60_000;

/**
 * Fills the disk of a running service and empties it again, round after round, while files are uploaded. Every upload
 * must be answered, either stored or refused with 503; reads must work; and the acknowledged files must all be there,
 * also after a restart. It needs the right to mount a file system.
 */
export async function runFullDisk(rounds: number): Promise<Tally> {
  const disk = mkdtempSync(join(tmpdir(), 'almanac-full-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'none', disk], { stdio: 'ignore' });
  } catch {
    console.log('Full disks are skipped: this machine does not allow a mount.');
    return { passed: 0, failed: 0 };
  }
  try {
    const problems = await fillRepeatedly(disk, rounds);
    for (const problem of problems) console.log(`full disk: ${problem}`);
    return { passed: problems.length === 0 ? rounds : 0, failed: problems.length };
  } finally {
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

async function fillRepeatedly(disk: string, rounds: number): Promise<string[]> {
  const problems: string[] = [];
  const options = { data: join(disk, 'data'), quiet: true };
  const acknowledged: string[] = [];
  {
    await using service = await startService(options);
    for (let round = 0; round < rounds; round += 1) {
      await upload(service, `before-${round}`, 201, acknowledged, problems);
      fill(disk);
      await until(service, 503, problems);
      for (let index = 0; index < UPLOADS; index += 1) {
        await upload(service, `full-${round}-${index}`, 503, acknowledged, problems);
      }
      const { status } = await service.fetch('/api/v1/me/access');
      if (status !== 200) problems.push(`a read was answered ${status}`);
      rmSync(join(disk, 'filler'));
      await until(service, 200, problems);
      await upload(service, `after-${round}`, 201, acknowledged, problems);
    }
  }
  await using service = await startService(options);
  const files = (await listFiles(service)).map(({ name }) => name);
  for (const name of acknowledged) if (!files.includes(name)) problems.push(`${name} was acknowledged and is lost`);
  if (files.length !== acknowledged.length) problems.push(`${files.length} files, ${acknowledged.length} acknowledged`);
  return problems;
}

/** Waits until the service reports that it is ready (200) or not ready (503). */
async function until(service: Service, status: number, problems: string[]): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while ((await service.fetch('/health/ready')).status !== status) {
    if (performance.now() > deadline) return void problems.push(`readiness did not become ${status}`);
    await sleep(100);
  }
}

async function upload(service: Service, name: string, expected: number, acknowledged: string[], problems: string[]) {
  const rows = 'date,value\n2024-01-01,1\n2024-01-02,2\n2024-01-03,3\n';
  const init = { method: 'POST', body: rows, headers: { 'content-type': 'text/csv' } };
  const { status } = await service.fetch(`${await csvPath(service)}?name=${name}.csv`, init);
  if (status === 201) acknowledged.push(`${name}.csv`);
  if (status !== expected) problems.push(`${name} was answered ${status} instead of ${expected}`);
}

async function listFiles(service: Service): Promise<{ name: string }[]> {
  const reply = await service.fetch(`${await csvPath(service)}?limit=100`);
  return ((await reply.json()) as { data: { files: { name: string }[] } }).data.files;
}

async function csvPath(service: Service): Promise<string> {
  const reply = await service.fetch('/api/v1/me/access');
  const { data } = (await reply.json()) as { data: { workspaces: { id: string }[] } };
  return `/api/v1/workspaces/${data.workspaces[0]?.id}/csv`;
}

/** Fills the disk in small pieces, because the service writes as well, until little space is free. */
function fill(disk: string): void {
  const piece = Buffer.alloc(512 * 1024);
  const filler = join(disk, 'filler');
  while (freeBytes(disk) > FREE_MIB * 1024 ** 2) appendFileSync(filler, piece);
}

function freeBytes(disk: string): number {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
}
