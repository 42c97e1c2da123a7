import { uniformBetween } from '../../support/platform/seeded-random.ts';
import { type Fault, type FaultContext, holding, lasting, pick, secondsBetween, withServiceHost } from './fault.ts';
import type { Host } from './network.ts';

const MAX_SKEW_SECONDS = 600;
const anyHost = () => true;

const cutService: Fault = (context) =>
  withServiceHost(context, anyHost, ({ host }) => cut(context, 'link of a service cut', host));

const cutPooler: Fault = (context) =>
  holding(context, 'pooler', () => cut(context, 'link of the pooler cut', context.scene.pooler.host));

async function cut(context: FaultContext, fault: string, host: Host): Promise<void> {
  const seconds = secondsBetween(context, 3, 20);
  await context.log.record(fault, `${host.name} for ${seconds} s`, [host.name], async () => {
    host.cutLink();
    await lasting(context, seconds);
    host.healLink();
  });
}

const delayAndLoss: Fault = (context) =>
  withServiceHost(
    context,
    ({ proxies }) => proxies.length > 0,
    async ({ host, proxies }) => {
      const seconds = secondsBetween(context, 8, 25);
      const loss = pick(context, [0, 0.01, 0.05]) ?? 0;
      const delayMs = [5, Math.round(uniformBetween(context.random, 20, 300))] as const;
      const details = `${host.name} for ${seconds} s, ${delayMs.join(' to ')} ms, ${loss * 100}% of chunks lost`;
      await context.log.record('delay and loss', details, [], async () => {
        for (const proxy of proxies) proxy.disturb({ delayMs, loss });
        await lasting(context, seconds);
        for (const proxy of proxies) proxy.disturb(null);
      });
    },
  );

const skewClock: Fault = (context) =>
  withServiceHost(context, anyHost, async ({ host, clock }) => {
    const seconds = secondsBetween(context, 10, 30);
    const skew = Math.round(uniformBetween(context.random, -MAX_SKEW_SECONDS, MAX_SKEW_SECONDS));
    await context.log.record('clock skewed', `${host.name} by ${skew} s for ${seconds} s`, [], async () => {
      clock.setSkew(skew);
      await lasting(context, seconds);
      clock.setSkew(0);
    });
  });

const fillDisk: Fault = (context) =>
  withServiceHost(context, anyHost, async ({ host, disk }) => {
    const seconds = secondsBetween(context, 5, 20);
    await context.log.record('disk of a service full', `${host.name} for ${seconds} s`, [], async () => {
      disk.fill();
      await lasting(context, seconds);
      disk.free();
    });
  });

/** The lease of a forecast is 15 seconds, and expired leases are looked for every 10 seconds. */
const freezeWorker: Fault = (context) =>
  withServiceHost(
    context,
    ({ process }) => process.role === 'worker',
    ({ host }) => freeze(context, 'worker stopped past its lease', host, secondsBetween(context, 28, 40)),
  );

const freezeApi: Fault = (context) =>
  withServiceHost(
    context,
    ({ process }) => process.role === 'api',
    ({ host }) => freeze(context, 'API stopped', host, secondsBetween(context, 3, 20)),
  );

async function freeze(context: FaultContext, fault: string, host: Host, seconds: number): Promise<void> {
  await context.log.record(fault, `${host.name} for ${seconds} s`, [host.name], async () => {
    host.signalAll('SIGSTOP');
    await lasting(context, seconds);
    host.signalAll('SIGCONT');
  });
}

const kill: Fault = (context) =>
  withServiceHost(context, anyHost, async ({ host, process }) => {
    const seconds = secondsBetween(context, 0, 3);
    await context.log.record(`${process.role} killed`, `${host.name}, down for ${seconds} s`, [host.name], async () => {
      await process.kill9();
      // The engine has noticed that its parent is gone, or notices it while it runs.
      await lasting(context, seconds);
      await process.start();
    });
  });

const restartPooler: Fault = (context) =>
  holding(context, 'pooler', async () => {
    const seconds = secondsBetween(context, 0, 4);
    const signal = pick(context, ['SIGTERM', 'SIGKILL'] as const) ?? 'SIGKILL';
    await context.log.record('pooler restarted', `${signal}, down for ${seconds} s`, [], () =>
      context.scene.pooler.restart(signal, seconds * 1_000),
    );
  });

export const SERVICE_FAULTS: readonly Fault[] = [
  cutService,
  cutPooler,
  delayAndLoss,
  skewClock,
  fillDisk,
  freezeWorker,
  freezeApi,
  kill,
  restartPooler,
];
