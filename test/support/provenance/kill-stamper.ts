import type { Database } from '../../../src/platform/index.ts';
import type { Stamper } from '../../../src/provenance/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import { findStampViolations } from './find-stamp-violations.ts';
import { CONFIRMATIONS, createMortalStamper, createSender, type KillScene, WATCHED_BLOCKS } from './kill-scene.ts';
import { createMortalProcess, Killed, type KillPoint, MortalProcess } from './mortal-process.ts';
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

const MAX_CALM_ROUNDS = 80;

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
  const history: KillReport['history'][number][] = [];
  let now = Date.parse('2026-03-02T10:00:00Z');
  let killsLeft = options.kills;
  const clock = () => new Date(now);

  const start = (isMortal: boolean) => {
    const process = isMortal && killsLeft > 0 ? createMortalProcess(random) : new MortalProcess(null);
    return { process, stamper: createMortalStamper(scene, process, { database, sender, batchSize, now: clock }) };
  };
  const runRound = async ({ process, stamper }: ReturnType<typeof start>) => {
    await tryRound(stamper, process);
    if (!process.isDead || process.point === null) return;
    killsLeft -= 1;
    history.push(process.point);
  };

  await scene.restart();
  await node.setBalance(sender.address, 10n ** 20n);
  const chain = new RestlessChain(node, random, WATCHED_BLOCKS);
  const waiting = [...proofs];
  let current = start(true);
  for (let round = 0; round < options.rounds; round += 1) {
    if (random() < 0.6) await handOver(database, waiting.splice(0, 1 + Math.floor(2 * batchSize * random())), clock());
    const second = random() < 0.1 ? start(true) : null;
    const lost = random() < 0.15 ? Math.floor(20 * random()) : null;
    let calls = 0;
    proxy.losesReply = () => {
      calls += 1;
      if (calls !== lost) return false;
      history.push('lost reply');
      return true;
    };
    if (second !== null) history.push('two processes');
    await Promise.all([runRound(current), second === null ? null : runRound(second)]);
    if (current.process.isDead) current = start(true);
    const event = await chain.move();
    if (event !== null) history.push(event);
    now += Math.floor(120_000 * random());
  }
  proxy.losesReply = () => false;

  await handOver(database, waiting, clock());
  const last = start(false);
  let isCalm = false;
  for (let round = 0; round < MAX_CALM_ROUNDS && !isCalm; round += 1) {
    const { isUnfinished } = await last.stamper.runRound({ takesNew: true, signal: AbortSignal.timeout(30_000) });
    isCalm = !isUnfinished && round > 0;
    await node.mine();
    now += 60_000;
  }
  await node.mine(CONFIRMATIONS + WATCHED_BLOCKS + 1);
  await last.stamper.runRound({ takesNew: true, signal: AbortSignal.timeout(30_000) });
  const violations = isCalm ? [] : [`rounds are still unfinished after ${MAX_CALM_ROUNDS} calm ones`];
  violations.push(...(await findStampViolations({ database, node, contract, sender: sender.address, proofs })));
  return { seed, violations, history };
}

/** Runs a round. A killed process may fail in any way, a living one may not. */
async function tryRound(stamper: Stamper, process: MortalProcess): Promise<void> {
  try {
    await stamper.runRound({ takesNew: true, signal: AbortSignal.timeout(30_000) });
  } catch (error) {
    if (!process.isDead) throw error;
    if (!(error instanceof Killed)) return;
  }
}
