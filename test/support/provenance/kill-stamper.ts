import type { Database } from '../../../src/platform/index.ts';
import type { Stamper } from '../../../src/provenance/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import { findStampViolations } from './find-stamp-violations.ts';
import { CONFIRMATIONS, createMortalStamper, createSender, type KillScene, WATCHED_BLOCKS } from './kill-scene.ts';
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
  readonly history: readonly (KillPoint | ChainEvent | 'lost reply' | 'two processes')[];
}

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
  let now = Date.parse('2026-03-02T10:00:00Z');
  let killsLeft = options.kills;
  const clock = () => new Date(now);

  const start = (isMortal: boolean) => {
    const process = isMortal && killsLeft > 0 ? createMortalProcess(random) : new MortalProcess(null);
    return { process, stamper: createMortalStamper(scene, process, { database, sender, batchSize, now: clock }) };
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
    if (random() < 0.6) await handOver(database, waiting.splice(0, 1 + Math.floor(2 * batchSize * random())), clock());
    const second = random() < 0.1 ? start(true) : null;
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
    if (second !== null) history.push('two processes');
    await Promise.all([runRound(current), second === null ? null : runRound(second)]);
    proxy.onCall = async () => false;
    if (current.process.isDead) current = start(true);
    await moveChain();
    now += Math.floor(120_000 * random());
  }

  await handOver(database, waiting, clock());
  const last = start(false);
  for (let round = 0; ; round += 1) {
    const { isUnfinished } = await last.stamper.runRound({ takesNew: true, signal: new AbortController().signal });
    if (!isUnfinished && round > 0) break;
    if (round === MAX_CALM_ROUNDS) {
      violations.push(`rounds are still unfinished after ${round} calm ones`);
      break;
    }
    // Above the fees of all transactions that were sent, so that they have to be raised.
    await node.setNextBaseFee(CALM_BASE_FEE);
    await node.mine();
    now += 60_000;
  }
  await node.mine(CONFIRMATIONS + WATCHED_BLOCKS + 1);
  await last.stamper.runRound({ takesNew: true, signal: new AbortController().signal });
  violations.push(...(await findStampViolations({ database, node, contract, sender: sender.address, proofs })));
  return { seed, violations, history };
}

/** Runs a round. A killed process may fail in any way; the failure of a living one is returned. */
async function findFailure(stamper: Stamper, process: MortalProcess): Promise<string | null> {
  try {
    await stamper.runRound({ takesNew: true, signal: new AbortController().signal });
    return null;
  } catch (error) {
    return process.isDead ? null : `a round failed: ${error}`;
  }
}
