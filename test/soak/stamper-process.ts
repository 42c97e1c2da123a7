// Stamps proofs until nothing is left to do. The soak test kills it.

import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, type DatabaseOptions, openDatabase, systemClock } from '../../src/platform/index.ts';
import { createChainStamper } from '../../src/provenance/chain/chain-stamper.ts';
import type { ChainStamperOptions } from '../../src/provenance/index.ts';

/** What the process gets as its argument, in JSON. */
export interface StamperArguments {
  readonly location: DatabaseOptions;
  readonly stamper: ChainStamperOptions;
}

const { location, stamper: options } = JSON.parse(process.argv[2] ?? '') as StamperArguments;
const database = await openDatabase({ ...location, lockWaitMs: 10_000 });
const context = { database, clock: systemClock, log: createLog('error'), perDay: 1_000_000 };
const stamper = createChainStamper(context, options);
const signal = AbortSignal.timeout(120_000);
while ((await stamper.runRound({ takesNew: true, signal })).isUnfinished) await sleep(20);
await database.close();
