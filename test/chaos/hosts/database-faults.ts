import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, lasting, secondsBetween } from './fault.ts';
import type { PostgresServer } from './postgres-server.ts';

// One fault at a time, and the next one only when the standby has everything again: two failures together can lose writes
// however a service is written.

/** How long a write may take to succeed after a failover. */
const RECOVERY_MS = 60_000;

type Failure = (primary: PostgresServer) => void;

const failures: Readonly<Record<string, Failure>> = {
  killed: ({ host }) => host.signalAll('SIGKILL'),
  stopped: ({ host }) => host.signalAll('SIGSTOP'),
  'cut off': ({ host }) => host.cutLink(),
};

const failOverAfter =
  (how: string): Fault =>
  (context) => {
    const { scene, log } = context;
    const { databases, responses } = scene;
    const { primary } = databases;
    const seconds = secondsBetween(context, 1, 5);
    const details = `${primary.host.name}, the standby is promoted after ${seconds} s`;
    return log.record(`failover, primary ${how}`, details, [], async () => {
      const failedAt = performance.now();
      failures[how]?.(primary);
      await lasting(context, seconds);
      await databases.failOver();
      const promotedAt = performance.now();
      while (!responses.hasWriteSince(promotedAt) && performance.now() - promotedAt < RECOVERY_MS) await sleep(50);
      log.failovers.push(performance.now() - failedAt);
      await databases.rebuildStandby();
    });
  };

/** Writes wait for the standby, or for a promotion that does not come. */
const cutServer =
  (which: 'primary' | 'standby'): Fault =>
  async (context) => {
    const { databases } = context.scene;
    const { host } = databases[which];
    const seconds = secondsBetween(context, 3, 20);
    await context.log.record(`link of the ${which} cut`, `${host.name} for ${seconds} s`, [], async () => {
      host.cutLink();
      await lasting(context, seconds);
      host.healLink();
      await databases.waitUntilInSync();
    });
  };

const fillServer =
  (which: 'primary' | 'standby'): Fault =>
  async (context) => {
    const { databases } = context.scene;
    const { host, disk } = databases[which];
    const seconds = secondsBetween(context, 5, 15);
    await context.log.record(`disk of the ${which} full`, `${host.name} for ${seconds} s`, [], async () => {
      disk.fill();
      await lasting(context, seconds);
      disk.free();
      await databases.waitUntilInSync();
    });
  };

const killServer =
  (which: 'primary' | 'standby'): Fault =>
  async (context) => {
    const { databases } = context.scene;
    const { host } = databases[which];
    await context.log.record(`${which} killed, started again`, host.name, [], async () => {
      host.signalAll('SIGKILL');
      await databases.waitUntilInSync();
    });
  };

/** The faults of a short run. */
export const SHORT_DATABASE_FAULTS: readonly Fault[] = [failOverAfter('killed'), cutServer('standby')];

export const DATABASE_FAULTS: readonly Fault[] = [
  failOverAfter('killed'),
  failOverAfter('stopped'),
  failOverAfter('cut off'),
  cutServer('primary'),
  cutServer('standby'),
  fillServer('primary'),
  fillServer('standby'),
  killServer('primary'),
  killServer('standby'),
];
