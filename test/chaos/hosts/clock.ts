import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A clock of a host that can be wrong. */
export interface SkewedClock {
  /** The settings with which a process reads it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the difference to the real time. Processes notice it within a second. */
  setSkew(seconds: number): void;
}

/** Returns the library that skews clocks, or null if it is not installed. */
export function findFaketime(): string | null {
  const folders = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime/libfaketimeMT.so.1'));
  return folders.find((file) => existsSync(file)) ?? null;
}

export function createSkewedClock(file: string): SkewedClock {
  const setSkew = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  setSkew(0);
  return {
    environment: {
      LD_PRELOAD: findFaketime() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // Timers and durations are those of the machine, as after a step of a real clock.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    setSkew,
  };
}
