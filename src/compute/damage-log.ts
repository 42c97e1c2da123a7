import { basename } from 'node:path';
import type { Log } from '../platform/index.ts';

export interface DamageLog {
  note(folder: string, problem: string): void;
}

/** Tells of a damaged checkpoint when it is found, and not again with each request that passes it over. */
export function damageLog(log: Pick<Log, 'warn'>): DamageLog {
  const told = new Map<string, string>();
  return {
    note(folder, problem) {
      if (told.get(folder) === problem) return;
      told.set(folder, problem);
      const remedy = 'remove its folder or install it again with "almanac models pull"';
      log.warn(
        { checkpoint: basename(folder), folder, problem },
        `a checkpoint is damaged and is passed over; ${remedy}`,
      );
    },
  };
}
