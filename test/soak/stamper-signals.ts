import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseOptions, openDatabase } from '../../src/platform/index.ts';
import { STAMPING } from '../support/chain/stamping-scene.ts';
import { type DatabaseKind, openTestDatabase } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { findStampViolations } from '../support/provenance/find-stamp-violations.ts';
import { CONFIRMATIONS, createSender, type KillScene, WATCHED_BLOCKS } from '../support/provenance/kill-scene.ts';
import { MortalProcess } from '../support/provenance/mortal-process.ts';
import { createProofs, handOver } from '../support/provenance/proof-files.ts';
import type { StamperArguments } from './stamper-process.ts';

const PROGRAM = join(import.meta.dirname, 'stamper-process.ts');
const KILLS = 5;
const PROOFS = 100;
const BATCH_SIZE = 8;
/** The calls of a process before it is killed, at most. A transaction needs about ten. */
const MAX_CALLS = 60;

/**
 * Kills a process that stamps with -9, at a random call of the node, which still receives the call. The database is
 * opened again by the next process. Returns what is wrong in the end.
 */
export async function runStamperSignals(scene: KillScene, kind: DatabaseKind, seed: number): Promise<string[]> {
  const { node, proxy, contract } = scene;
  await using fixture = await openTestDatabase(kind, STAMPING);
  const random = createSeededRandom(seed);
  const sender = createSender(seed);
  await scene.restart();
  await node.setBalance(sender.address, 10n ** 20n);
  const proofs = createProofs(PROOFS, random);
  await handOver(fixture.database, proofs, new Date());
  // The embedded database can be open in one process only.
  await fixture.database.close();

  const url = proxy.urlFor(new MortalProcess(null));
  const limits = { confirmations: CONFIRMATIONS, watchedBlocks: WATCHED_BLOCKS, batchSize: BATCH_SIZE };
  const stamper = { url, chainId: node.chainId, contract, key: sender.key, collection: 'almanac', ...limits };
  const start = () => startProcess({ location: fixture.location, stamper });
  await using _ = mineRepeatedly(() => node.mine());
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = start();
    let callsLeft = 1 + Math.floor(MAX_CALLS * random());
    const exit = once(child, 'exit');
    proxy.onCall = async () => {
      callsLeft -= 1;
      if (callsLeft === 0) {
        child.kill('SIGKILL');
        await exit;
      }
      return false;
    };
    await exit;
  }
  proxy.onCall = async () => false;
  const violations: string[] = [];
  const run = async () => {
    const [code] = await once(start(), 'exit');
    if (code !== 0) violations.push(`the process ended with ${code}`);
  };
  await run();
  await node.mine(CONFIRMATIONS + WATCHED_BLOCKS);
  await run();
  violations.push(...(await check(fixture.location)));
  return violations;

  async function check(location: DatabaseOptions): Promise<string[]> {
    const database = await openDatabase(location);
    try {
      return await findStampViolations({ database, node, contract, sender: sender.address, proofs });
    } finally {
      await database.close();
    }
  }
}

function startProcess(parts: StamperArguments): ChildProcess {
  const flags = ['--disable-warning=ExperimentalWarning', PROGRAM, JSON.stringify(parts)];
  return spawn(process.execPath, flags, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Mines a block every 50 ms until it is disposed of. */
function mineRepeatedly(mine: () => Promise<void>): AsyncDisposable {
  const stop = new AbortController();
  const mining = (async () => {
    while (!stop.signal.aborted) {
      await mine();
      await sleep(50);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await mining;
    },
  };
}
