import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { NODE_FLAGS } from '../../../scripts/launch/node-binary.mjs';
import type { StoredAttempt } from '../../../src/notifications/tables.ts';
import { type Database, openDatabase } from '../../../src/platform/index.ts';
import type { TestDatabase } from '../platform/database.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';
import type { SenderArguments } from './sender-process.ts';
import { openWebhookScene } from './webhook-scene.ts';

export interface StormOptions {
  readonly events: number;
  /** The number of webhooks, each of which gets every event. */
  readonly webhooks: number;
  /** How often a sender is killed. */
  readonly kills: number;
  /** The number of processes that send at the same time. The embedded database allows one. */
  readonly senders: number;
  readonly random: () => number;
}

export interface StormReport {
  readonly deliveries: number;
  readonly requests: number;
  readonly interrupted: number;
  readonly violations: readonly string[];
}

/** A request with the reply that the receiver chose. A broken reply has no status. */
interface Answered extends ReceivedRequest {
  readonly hook: number;
  readonly reply: 'accepted' | 'refused' | 'broken';
  readonly isVerified: boolean;
}

const SENDER = path.join(import.meta.dirname, 'sender-process.ts');

/**
 * Sends events to a receiver that fails, hangs, answers garbage and dies, while the senders are killed. Then checks that
 * every committed event was delivered to every webhook, that every request was signed, and that nothing was sent after a
 * recorded 2xx.
 */
export async function runWebhookStorm(fixture: TestDatabase, options: StormOptions): Promise<StormReport> {
  const { webhooks, events, kills, senders, random } = options;
  const answered: Answered[] = [];
  const secrets: string[] = [];
  let isCalm = false;
  await using receiver = await startReceiver((response, request) => {
    const hook = Number(request.path.slice(1));
    const kind = isCalm ? 1 : random();
    const reply = kind < 0.15 ? 'refused' : kind < 0.5 ? 'broken' : 'accepted';
    answered.push({ ...request, hook, reply, isVerified: isVerified(secrets[hook] ?? '', request) });
    if (kind < 0.1) return void response.writeHead(500).end('no');
    if (kind < 0.15) return void response.writeHead(302, { location: '/' }).end();
    if (kind < 0.25) return; // Hangs.
    if (kind < 0.35) return void response.socket?.end('garbage\r\n\r\n');
    if (kind < 0.5) return void response.destroy();
    // Accepts it, in one of several ways.
    if (kind < 0.6) return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    if (kind < 0.7)
      return void response.writeHead(202, { 'content-length': '100' }).write('x', () => response.destroy());
    response.writeHead(204).end();
  });

  const scene = await openWebhookScene(fixture);
  const caller = await scene.account();
  for (let hook = 0; hook < webhooks; hook++) {
    // The events are of the present, and the clock of the scene is behind.
    secrets.push((await scene.webhook(caller, `${receiver.origin}/${hook}`)).secret);
  }
  const filterId = await scene.filter(caller);
  await scene.queue.stop({ timeoutMs: 1_000 });
  if (fixture.database.kind === 'pglite') await fixture.database.close();

  let left = events;
  const start = () => startSender({ location: fixture.location, filterId, events: left });
  let running = Array.from({ length: senders }, (_, i) =>
    i === 0 ? start() : startSender({ location: fixture.location, filterId, events: 0 }),
  );
  for (let kill = 0; kill < kills; kill++) {
    // While it sends, so that requests are interrupted.
    const seen = answered.length;
    await until(() => answered.length >= seen + 5 + 20 * random());
    const victim = running[Math.floor(random() * running.length)];
    if (victim === undefined) break;
    const wasRecording = victim === running[0];
    await victim.kill();
    if (wasRecording) left -= victim.committed();
    running = running.map((sender) =>
      sender === victim
        ? startSender({ location: fixture.location, filterId, events: wasRecording ? left : 0 })
        : sender,
    );
  }
  await running[0]?.recorded(left);
  const expected = events * webhooks;
  await until(() => new Set(answered.filter(isAccepted).map(keyOf)).size > 0.8 * expected);
  isCalm = true;
  const violations: string[] = [];
  const database = fixture.database.kind === 'pglite' ? null : fixture.database;
  const isDone = await waitUntilDone(database, answered, expected);
  if (!isDone) violations.push('the deliveries did not end in time');
  const before = answered.length;
  await sleep(1_000);
  if (answered.length > before)
    violations.push(`${answered.length - before} requests came after everything was delivered`);
  for (const sender of running) await sender.kill();
  const opened = database ?? (await openDatabase({ ...fixture.location, lockWaitMs: 10_000 }));
  try {
    const found = await findViolations(opened, answered, options);
    return { ...found, requests: answered.length, violations: [...violations, ...found.violations] };
  } finally {
    if (database === null) await opened.close();
  }
}

function isVerified(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function startSender(args: SenderArguments) {
  const child: ChildProcess = spawn(process.execPath, [...NODE_FLAGS, SENDER, JSON.stringify(args)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let committed = 0;
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) committed = Number(lines.at(-1));
  });
  return {
    committed: () => committed,
    /** Waits until it has committed a number of events. */
    async recorded(count: number): Promise<void> {
      while (committed < count) {
        if (child.exitCode !== null) throw new Error(`The sender ended with the exit code ${child.exitCode}.`);
        await sleep(20);
      }
    },
    async kill(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

const MAX_WAIT_MS = 180_000;

/** Waits until a condition is true, but not for ever: the checks at the end report what is missing. */
async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + MAX_WAIT_MS; !isTrue() && Date.now() < end; ) await sleep(20);
}

/** Waits until no delivery is pending, or, without access to the database, until each was accepted once. */
async function waitUntilDone(
  database: Database | null,
  answered: readonly Answered[],
  expected: number,
): Promise<boolean> {
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await sleep(100)) {
    if (database === null) {
      const accepted = answered.filter(isAccepted).map(keyOf);
      if (new Set(accepted).size >= expected) return true;
    } else {
      const { rows } = await sql<{ ended: number }>`
        SELECT count(*)::int AS ended FROM webhook_delivery WHERE state <> 'pending'`.execute(database.query());
      if ((rows[0]?.ended ?? 0) >= expected) return true;
    }
  }
  return false;
}

const isAccepted = ({ reply }: Answered): boolean => reply === 'accepted';

function keyOf({ hook, headers }: Answered): string {
  return `${hook} ${headers['webhook-id']}`;
}

interface DeliveredRow {
  readonly url: string;
  readonly event_id: string;
  readonly state: string;
  readonly attempt: number;
  readonly attempts: readonly StoredAttempt[];
  readonly body: string;
}

async function findViolations(database: Database, answered: readonly Answered[], { webhooks, events }: StormOptions) {
  const violations: string[] = [];
  const check = (isFine: boolean, text: string) => void (isFine || violations.push(text));
  const counted = await sql<{ events: number; waiting: number }>`
    SELECT count(*)::int AS events, count(*) FILTER (WHERE dispatched_at IS NULL)::int AS waiting FROM outbox_event
  `.execute(database.query());
  const { rows } = await sql<DeliveredRow>`
    SELECT url, event_id, state, attempt, attempts, body
    FROM webhook_delivery AS delivery JOIN webhook ON webhook.id = webhook_id`.execute(database.query());
  // A sender that was killed between a commit and its line has recorded one more.
  check((counted.rows[0]?.events ?? 0) >= events, `${counted.rows[0]?.events} of ${events} events are stored`);
  check(counted.rows[0]?.waiting === 0, `${counted.rows[0]?.waiting} events were not dispatched`);
  check(rows.length === (counted.rows[0]?.events ?? 0) * webhooks, `${rows.length} deliveries`);
  const byKey = Map.groupBy(answered, keyOf);
  for (const { url, event_id, state, attempt, attempts, body } of rows) {
    const key = `${new URL(url).pathname.slice(1)} ${event_id}`;
    const requests = byKey.get(key) ?? [];
    const accepted = requests.filter(isAccepted).length;
    const broken = requests.filter(({ reply }) => reply === 'broken').length;
    const withoutStatus = attempts.filter(({ status_code: status }) => status === null).length;
    check(state === 'delivered', `${key} is ${state}`);
    check(accepted >= 1, `${key} was not accepted`);
    // A sender that was killed, or was too busy to read a reply in time, does not know that a request was accepted.
    check(accepted - 1 + broken <= withoutStatus, `${key} was accepted ${accepted} times, in attempts with a status`);
    check(requests.length <= attempt, `${key} was sent ${requests.length} times in ${attempt} attempts`);
    check(attempts.length === attempt, `${key} has ${attempts.length} records of ${attempt} attempts`);
    const successes = attempts.filter(({ status_code: status }) => status !== null && status >= 200 && status < 300);
    check(successes.length === 1 && successes[0]?.number === attempt, `${key} went on after a recorded 2xx`);
    check(
      requests.every((request) => request.body === body),
      `${key} was sent with different bytes`,
    );
  }
  const unsigned = answered.filter((request) => !request.isVerified).length;
  check(unsigned === 0, `${unsigned} requests have no valid signature`);
  const sequences = Map.groupBy(rows, ({ url }) => url);
  for (const [url, ofWebhook] of sequences) {
    const numbers = new Set(ofWebhook.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence));
    check(numbers.size === ofWebhook.length && Math.max(...numbers) === ofWebhook.length, `${url} has gaps`);
  }
  const interrupted = rows.flatMap(({ attempts }) => attempts).filter(({ error }) => error === 'interrupted').length;
  return { deliveries: rows.length, interrupted, violations };
}
