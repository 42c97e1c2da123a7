import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { createLog, type Database, outboxMigrations } from '../../../src/platform/index.ts';
import { createChainStamper } from '../../../src/provenance/chain/chain-stamper.ts';
import {
  type ChainStamperOptions,
  provenanceMigrations,
  requestStamps,
  type Stamper,
} from '../../../src/provenance/index.ts';
import type { ProvenanceTables } from '../../../src/provenance/receipts/tables.ts';
import type { EvmNode } from './evm-node.ts';
import type { LoggedEvent } from './logged-events.ts';
import type { EvmAccount, Hex } from './node-controls.ts';

/** The options of a database for a scene. */
export const STAMPING = { migrations: [outboxMigrations, provenanceMigrations] };

export interface StampingScene {
  readonly node: EvmNode;
  readonly database: Database;
  readonly account: EvmAccount;
  readonly contract: Hex;
  readonly stamper: Stamper;
  /** The number of milliseconds by which the clock of the stamper is ahead. */
  advance(milliseconds: number): void;
  /** Creates another stamper for the same database, as another process has it. */
  another(options?: Partial<ChainStamperOptions>, perDay?: number): Stamper;
  /** Hands proofs over to be stamped and returns their content ids. */
  request(count: number): Promise<string[]>;
  /** Runs a round, by default of the scene's stamper. */
  round(stamper?: Stamper, takesNew?: boolean): ReturnType<Stamper['runRound']>;
  /** Runs rounds and mines a block after each, until the stamper has nothing more to do. */
  settle(stamper?: Stamper): Promise<void>;
  /** Returns the number of proofs by status and error code, such as `{ 'pending OUT_OF_FUNDS': 2 }`. */
  statuses(): Promise<Record<string, number>>;
  /** Returns the number of transactions by state. */
  states(): Promise<Record<string, number>>;
  /** Returns the AddSetObject events of the scene's account. */
  committed(): Promise<LoggedEvent[]>;
  /** Returns every line that was logged. */
  logged(): string;
}

/** Prepares an account, a contract and a stamper on a node that mines only when told. Two confirmations are enough. */
export async function createStampingScene(
  node: EvmNode,
  database: Database,
  given: Partial<ChainStamperOptions> = {},
): Promise<StampingScene> {
  const account = await node.createAccount();
  const contract = await node.deployContract();
  const lines: string[] = [];
  const log = createLog(
    'debug',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead) };
  const common = { url: node.url, chainId: node.chainId, contract, key: account.privateKey, collection: 'almanac' };
  const another = (options: Partial<ChainStamperOptions> = {}, perDay = 10_000) =>
    createChainStamper(
      { database, clock, log, perDay },
      { ...common, confirmations: 2, takenAfterMs: 0, ...given, ...options },
    );
  const stamper = another();
  const round = (by = stamper, takesNew = true) => by.runRound({ takesNew, signal: new AbortController().signal });
  return {
    node,
    database,
    account,
    contract,
    stamper,
    another,
    round,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    async request(count) {
      const cids = Array.from({ length: count }, () => {
        serial += 1;
        return `0x${createHash('sha256').update(`${account.address} ${serial}`).digest('hex')}`;
      });
      const proofs = cids.map((contentCid) => ({ contentCid, kind: 'forecast' as const, subject: `ef_${contentCid}` }));
      await requestStamps(database, proofs, clock.now());
      return cids.sort();
    },
    async settle(by) {
      for (let left = MAX_ROUNDS; (await round(by)).isUnfinished; left--) {
        if (left === 0) throw new Error(`The stamper does not end:\n${lines.join('')}`);
        await node.mine();
      }
    },
    async statuses() {
      const rows = await database.query<ProvenanceTables>().selectFrom('proof').selectAll().execute();
      const shown = rows.map(({ status, error_code }) => (error_code === null ? status : `${status} ${error_code}`));
      return countEach(shown);
    },
    async states() {
      const rows = await database.query<ProvenanceTables>().selectFrom('stamp_transaction').select('state').execute();
      return countEach(rows.map(({ state }) => state));
    },
    async committed() {
      const events = await node.loggedEvents(contract);
      const user = account.address.toLowerCase();
      return events.filter((event) => event.name === 'AddSetObject' && event.user === user);
    },
    logged: () => lines.join(''),
  };
}

function countEach(texts: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => [text, length]));
}

const MAX_ROUNDS = 60;
let serial = 0;
