import { setTimeout as sleep } from 'node:timers/promises';
import type { Network } from './network.ts';
import { PostgresServer } from './postgres-server.ts';
import type { RunFolder } from './run-folder.ts';

/** How a standby has everything that was acknowledged: it streams, and commits wait for it. */
const IN_SYNC = `
  SELECT 1 FROM pg_stat_replication
  WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum') AND flush_lsn >= pg_current_wal_flush_lsn()`;

/** How long a standby has to catch up before it is built again. */
const CATCH_UP_MS = 20_000;

const MAX_COPIES = 10;
const COPY_PAUSE_MS = 1_000;

/** A primary with a synchronous standby. Clients use the fixed address, which the primary has. */
export class PostgresPair {
  readonly #network: Network;
  #primary: PostgresServer;
  #standby: PostgresServer;
  /** How often a standby could not continue and was built again. */
  rebuilds = 0;

  constructor(network: Network, { path, number }: RunFolder) {
    this.#network = network;
    this.#primary = new PostgresServer(network.addHost('database-a'), path);
    this.#standby = new PostgresServer(network.addHost('database-b'), path);
    this.#primary.create(`10.213.${number}.0/24`);
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standby(): PostgresServer {
    return this.#standby;
  }

  async start(): Promise<void> {
    this.#primary.start();
    await this.#primary.waitFor('SELECT 1');
    this.#primary.host.addAddress(this.#network.fixedAddress);
    this.#network.forgetNeighbors();
    await this.#buildStandby();
    await this.waitUntilInSync();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#primary.end(), this.#standby.end()]);
  }

  /**
   * Makes the standby the primary. The old primary is ended first, so that it cannot acknowledge anything more, and
   * becomes the standby when `rebuildStandby` is called.
   */
  async failOver(): Promise<void> {
    const [old, next] = [this.#primary, this.#standby];
    old.host.cutLink();
    await old.end();
    old.host.removeAddress(this.#network.fixedAddress);
    // No standby is left for now, and writes must not wait for one.
    await this.#setSynchronous(next, false);
    await next.query('SELECT pg_promote(true, 60)');
    next.host.addAddress(this.#network.fixedAddress);
    this.#network.forgetNeighbors();
    this.#primary = next;
    this.#standby = old;
  }

  async rebuildStandby(): Promise<void> {
    await this.#standby.end();
    this.#standby.host.healLink();
    await this.#buildStandby();
    await this.waitUntilInSync();
  }

  /** Waits until the standby has everything. A standby that cannot catch up is built again. */
  async waitUntilInSync(): Promise<void> {
    await this.#primary.waitFor('SELECT 1 WHERE NOT pg_is_in_recovery()');
    try {
      await this.#primary.waitFor("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'", CATCH_UP_MS);
    } catch {
      this.rebuilds += 1;
      await this.#standby.end();
      await this.#buildStandby();
      await this.#primary.waitFor("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'");
    }
    await this.#setSynchronous(this.#primary, true);
    await this.#primary.waitFor(IN_SYNC);
  }

  async #buildStandby(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#standby.copyFrom(this.#primary);
        break;
      } catch (error) {
        if (attempt === MAX_COPIES) throw error;
        // A host remembers for some seconds that it did not find another one.
        this.#network.forgetNeighbors();
        await sleep(COPY_PAUSE_MS);
      }
    }
    this.#standby.start();
  }

  async #setSynchronous(server: PostgresServer, isSynchronous: boolean): Promise<void> {
    await server.query(`ALTER SYSTEM SET synchronous_standby_names = '${isSynchronous ? '*' : ''}'`);
    await server.query('SELECT pg_reload_conf()');
  }
}
