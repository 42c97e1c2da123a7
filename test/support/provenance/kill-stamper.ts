import type { Database } from '../../../src/platform/index.ts';
import type { Stamper } from '../../../src/provenance/index.ts';
import type { EvmNode } from '../chain/evm-node.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import { findStampViolations } from './find-stamp-violations.ts';
import {
  CONFIRMATIONS,
  createMortalStamper,
  createSender,
  type KillScene,
  SteppedClock,
  WATCHED_BLOCKS,
} from './kill-scene.ts';
import { createMortalProcess, type KillPoint, MortalProcess } from './mortal-process.ts';
import { createProofs, handOver } from './proof-files.ts';
import { type ChainEvent, RestlessChain } from './restless-chain.ts';

export interface KillOptions {
  /** Without proofs and transactions. */
  readonly database: Database;
  readonly proofs: number;
  readonly batchSize: number;
  /** Maximum number of processes that are killed. */
  readonly kills: number;
  /** The number of rounds during which processes are killed and the chain is restless. */
  readonly rounds: number;
}

/** What happened in a seed. */
export interface KillReport {
  readonly seed: number;
  readonly violations: readonly string[];
  /** In the order of time: kills, lost replies and events of the chain. */
  readonly history: readonly (KillPoint | ChainEvent | 'late send' | 'lost reply' | 'two processes')[];
}

const ROUND = { takesNew: true, signal: new AbortController().signal };
const MAX_CALM_ROUNDS = 40;
const CALM_BASE_FEE = 100n * 10n ** 9n;

/**
 * Stamps proofs by processes that are killed at seeded steps, on a chain that drops transactions, delays them and
 * reorganizes. Then the chain is calm, and a last process runs until nothing is left to do.
 */
export async function runKillSeed(seed: number, scene: KillScene, options: KillOptions): Promise<KillReport> {
  const { database, batchSize } = options;
  const { node, proxy, contract } = scene;
  const random = createSeededRandom(seed);
  const sender = createSender(seed);
  const proofs = createProofs(options.proofs, random);
  const violations: string[] = [];
  const history: KillReport['history'][number][] = [];
  const clock = new SteppedClock();
  let killsLeft = options.kills;

  const start = (isMortal: boolean) => {
    const process = isMortal && killsLeft > 0 ? createMortalProcess(random) : new MortalProcess(null);
    return { process, stamper: createMortalStamper(scene, process, { database, sender, batchSize, clock }) };
  };
  const runRound = async ({ process, stamper }: ReturnType<typeof start>) => {
    const failure = await findFailure(stamper, process);
    if (failure !== null) violations.push(failure);
    if (!process.isDead || process.point === null) return;
    killsLeft -= 1;
    history.push(process.point);
  };

  await scene.restart();
  await node.setBalance(sender.address, 10n ** 20n);
  const chain = new RestlessChain(node, random, WATCHED_BLOCKS);
  const moveChain = async () => {
    const event = await chain.move();
    if (event !== null) history.push(event);
  };
  const waiting = [...proofs];
  let current = start(true);
  for (let round = 0; round < options.rounds; round += 1) {
    const portion = random() < 0.3 ? 1 + Math.floor(1.5 * batchSize * random()) : 0;
    await handOver(database, waiting.splice(0, portion), clock.now());
    const late = random() < 0.3 ? proxy.unsent.shift() : undefined;
    if (late !== undefined) {
      history.push('late send');
      await proxy.deliver(late);
    }
    const second = random() < 0.1 ? start(true) : null;
    if (second !== null) history.push('two processes');
    // The calls before which the chain moves, and of which the reply gets lost. Few rounds have so many.
    const moveAt = Math.floor(40 * random());
    const loseAt = Math.floor(100 * random());
    let calls = 0;
    proxy.onCall = async () => {
      calls += 1;
      const isLost = calls === loseAt;
      if (isLost) history.push('lost reply');
      if (calls === moveAt) await moveChain();
      return isLost;
    };
    await Promise.all([runRound(current), second === null ? null : runRound(second)]);
    proxy.onCall = async () => false;
    if (current.process.isDead) current = start(true);
    await moveChain();
    clock.advance(120_000 * random());
  }

  await handOver(database, waiting, clock.now());
  violations.push(...(await calmDown(node, start(false).stamper, clock)));
  violations.push(...(await findStampViolations({ database, node, contract, sender: sender.address, proofs })));
  return { seed, violations, history };
}

/** Lets a stamper end its work on a calm chain. */
async function calmDown(node: EvmNode, stamper: Stamper, clock: SteppedClock): Promise<string[]> {
  let isUnfinished = true;
  for (let round = 0; round < MAX_CALM_ROUNDS && isUnfinished; round += 1) {
    // Above the fees of all transactions that were sent, so that they have to be raised.
    await node.setNextBaseFee(CALM_BASE_FEE);
    await node.mine();
    clock.advance(60_000);
    ({ isUnfinished } = await stamper.runRound(ROUND));
  }
  await node.mine(CONFIRMATIONS + WATCHED_BLOCKS + 1);
  await stamper.runRound(ROUND);
  return isUnfinished ? [`the stamper has not ended after ${MAX_CALM_ROUNDS} calm rounds`] : [];
}

/** Runs a round. A killed process may fail in any way; the failure of a living one is returned. */
async function findFailure(stamper: Stamper, process: MortalProcess): Promise<string | null> {
  try {
    await stamper.runRound(ROUND);
    return null;
  } catch (error) {
    return process.isDead ? null : `a round failed: ${error}`;
  }
}
