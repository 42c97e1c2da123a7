import type { Principal } from '../../access/index.ts';
import type { Config } from '../../platform/index.ts';
import { requestLimitsFor } from '../limits/request-limits.ts';
import { bodyMemoryFull, tooManyBodies } from './faults.ts';

/** Bodies over this size count as large. Smaller ones are always received: together they need little memory. */
export const LARGE_BODY = 64 * 1024;

/** Maximum number of large bodies of one caller at a time, from their arrival until they are parsed. */
const MAX_BODIES = { anonymous: 4, guest: 4, free: 4, pro: 4, enterprise: 16 } as const;

/** The same for all guests of one network, so that one network cannot use all of the memory. */
const MAX_NETWORK_BODIES = 8;

/** The bytes of one body that is being received or parsed. */
export interface HeldBody {
  /** Counts bytes that have arrived. Throws a fault if a large body has to be refused. */
  add(bytes: number): void;
  /** Returns all bytes of the body. Can be called more than once. */
  release(): void;
}

/** Counts the bytes of the bodies that a process holds, and the large bodies of each caller. */
export class BodyMemory {
  readonly #config: Config;
  readonly #largeBodies = new Map<string, number>();
  #bytes = 0;

  constructor(config: Config) {
    this.#config = config;
  }

  /** The bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  hold(principal: Principal, address: string): HeldBody {
    let held = 0;
    let counted: readonly string[] | null = null;
    return {
      add: (bytes) => {
        held += bytes;
        this.#bytes += bytes;
        if (held <= LARGE_BODY) return;
        counted ??= this.#countLargeBody(principal, address);
        if (this.#bytes > this.#config.bodyMemory) throw bodyMemoryFull();
      },
      release: () => {
        this.#bytes -= held;
        held = 0;
        for (const key of counted ?? []) this.#change(key, -1);
        counted = [];
      },
    };
  }

  #countLargeBody(principal: Principal, address: string): readonly string[] {
    const max = MAX_BODIES[principal.kind === 'account' ? principal.plan : principal.kind];
    const keys = requestLimitsFor(principal, address, this.#config).map(({ key }) => key);
    for (const [index, key] of keys.entries()) {
      const limit = index === 0 ? max : MAX_NETWORK_BODIES;
      if ((this.#largeBodies.get(key) ?? 0) >= limit) throw tooManyBodies(limit, LARGE_BODY);
    }
    for (const key of keys) this.#change(key, 1);
    return keys;
  }

  #change(key: string, by: 1 | -1): void {
    const count = (this.#largeBodies.get(key) ?? 0) + by;
    if (count === 0) this.#largeBodies.delete(key);
    else this.#largeBodies.set(key, count);
  }
}
