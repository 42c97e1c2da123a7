import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { RETRY_TIMES } from '../../src/notifications/deliveries/retry-times.ts';
import {
  countWebhooksOfEarlierKeys,
  removeUnusedWebhookKeys,
  replayDelivery,
  rotateSecret,
  rotateWebhookKey,
  rotateWebhookSecrets,
  sendOffMail,
  testWebhook,
  updateWebhook,
} from '../../src/notifications/index.ts';
import { WEBHOOK_KEY } from '../../src/notifications/webhooks/secrets.ts';
import { createLog, type Mail, readSigningKeys } from '../../src/platform/index.ts';
import { DAY, MINUTE, SECOND } from '../support/identity/identity.ts';
import { type ReceivedRequest, replyWith, startReceiver } from '../support/notifications/receiver.ts';
import { openWebhookScene, WEBHOOK_DATABASE, type WebhookScene } from '../support/notifications/webhook-scene.ts';
import { forEachDatabase } from '../support/platform/database.ts';

const ORIGIN = { network: null, userAgent: null };

/** Makes a webhook of an account and a delivery of one event to it. */
async function makeDelivery(scene: WebhookScene, url: string) {
  const caller = await scene.account();
  const { webhook, secret } = await scene.webhook(caller, url);
  const filterId = await scene.filter(caller);
  const next = async () => {
    await scene.match(filterId);
    await scene.dispatch();
    const delivery = (await scene.deliveries(webhook.id)).at(-1);
    assert.ok(delivery);
    return delivery;
  };
  return { caller, webhook, secret, filterId, next, delivery: await next() };
}

forEachDatabase('sends a signed request with the event, once', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver();
  const { delivery, secret, filterId } = await makeDelivery(scene, `${receiver.origin}/hook?token=1`);
  assert.deepEqual([delivery.state, delivery.attempt], ['pending', 0]);

  await scene.attempt(delivery.id);
  const [request, ...others] = receiver.requests;
  assert.ok(request);
  assert.deepEqual(others, []);
  assert.equal(request.path, '/hook?token=1');
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers['webhook-id'], delivery.event_id);
  const payload = {
    id: delivery.event_id,
    type: 'screener.matched',
    created_at: '2026-03-01T09:30:00.120Z',
    sequence: 1,
    data: {
      alert_id: filterId,
      session: '2026-03-02',
      matches_url: `/api/v1/me/screener-alerts/${filterId}/matches?session=2026-03-02`,
    },
  };
  assert.equal(request.body, JSON.stringify(payload));
  assert.deepEqual(verifyNow(scene, secret, request), payload);

  const delivered = await scene.read(delivery.id);
  assert.deepEqual([delivered.state, delivered.attempt, delivered.next_attempt_at], ['delivered', 1, null]);
  const [attempt] = delivered.attempts;
  assert.deepEqual([attempt?.number, attempt?.status_code, attempt?.error, attempt?.reply], [1, 204, null, '']);

  await scene.attempt(delivery.id);
  assert.equal(receiver.requests.length, 1, 'nothing is sent after a recorded 2xx');
});

/** Verifies a request with the library of Standard Webhooks, which compares the timestamp with the present time. */
function verifyNow(scene: WebhookScene, secret: string, request: { headers: object; body: string }): unknown {
  const sentAt = Number((request.headers as Record<string, string>)['webhook-timestamp']);
  assert.equal(sentAt, Math.floor(scene.clock.now().getTime() / SECOND));
  const realNow = Date.now;
  Date.now = () => scene.clock.now().getTime();
  try {
    return new Webhook(secret).verify(request.body, request.headers as Record<string, string>);
  } finally {
    Date.now = realNow;
  }
}

forEachDatabase('repeats a failed attempt over three days, then fails', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver(replyWith(500, 'no\u0000 \ud83d\ude00'.repeat(400)));
  const { delivery } = await makeDelivery(scene, receiver.origin);
  const started = scene.clock.now().getTime();
  for (const delay of RETRY_TIMES.delaysMs) {
    await scene.attempt(delivery.id);
    const { state, next_attempt_at } = await scene.read(delivery.id);
    assert.equal(state, 'pending');
    const wait = Number(next_attempt_at) - scene.clock.now().getTime();
    assert.ok(wait >= delay && wait <= delay * 1.1 + 1, `${wait} ms after a delay of ${delay} ms`);
    scene.clock.advance(Math.max(wait, 6 * MINUTE));
  }
  assert.ok(scene.clock.now().getTime() - started > 2.9 * DAY);
  await scene.attempt(delivery.id);
  const failed = await scene.read(delivery.id);
  assert.deepEqual([failed.state, failed.next_attempt_at, failed.attempts.length], ['failed', null, 10]);
  assert.equal(failed.attempts[0]?.reply?.length, 500);
  assert.ok(failed.attempts[0]?.reply?.startsWith('no\ufffd \ud83d\ude00no'));
  const bodies = new Set(receiver.requests.map(({ body, headers }) => `${headers['webhook-id']} ${body}`));
  assert.equal(bodies.size, 1, 'every attempt has the same id and the same bytes');
  await scene.attempt(delivery.id);
  assert.equal(receiver.requests.length, 10);
});

forEachDatabase('waits as long as the receiver asks for, up to a day', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver(replyWith(503, '', { 'retry-after': '3600' }));
  const { delivery, next } = await makeDelivery(scene, receiver.origin);
  await scene.attempt(delivery.id);
  const waitOf = async (id: string) => Number((await scene.read(id)).next_attempt_at) - scene.clock.now().getTime();
  assert.equal(await waitOf(delivery.id), 3_600_000);
  receiver.reply = replyWith(429, '', { 'retry-after': '99999999999999' });
  const other = await next();
  await scene.attempt(other.id);
  assert.equal(await waitOf(other.id), DAY);
});

for (const [name, status, reply] of [
  ['a redirect', 302, replyWith(302, '', { location: 'http://127.0.0.1:1/' })],
  ['a reply without end', 200, (response) => void response.writeHead(200).write('x')],
  [
    'a reply that breaks off',
    200,
    (response) => void response.writeHead(200, { 'content-length': '9' }).write('x', () => response.destroy()),
  ],
  ['a reply that is not what its encoding says', 200, replyWith(200, 'not gzip', { 'content-encoding': 'gzip' })],
  ['a huge reply', 200, replyWith(200, 'x'.repeat(5_000_000))],
  ['no reply', null, () => {}],
  ['a closed connection', null, (response) => void response.destroy()],
  ['a reply that is not HTTP', null, (response) => void response.socket?.end('garbage\r\n\r\n')],
] as const satisfies readonly (readonly [string, number | null, Parameters<typeof startReceiver>[0] & {}])[]) {
  forEachDatabase(`records ${name}`, WEBHOOK_DATABASE, async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using receiver = await startReceiver(reply);
    const { delivery } = await makeDelivery(scene, receiver.origin);
    // Long enough for a busy machine to send a reply, if there is one.
    scene.setTimeoutMs(status === null || name === 'a reply without end' ? 300 : 10_000);
    await scene.attempt(delivery.id);
    const { state, attempts } = await scene.read(delivery.id);
    assert.equal(state, status === 200 ? 'delivered' : 'pending');
    assert.equal(attempts[0]?.status_code, status);
    assert.equal(attempts[0]?.error === null, status !== null);
    assert.equal(receiver.requests.length, 1);
  });
}

forEachDatabase('records an attempt of a worker that died as interrupted', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver(() => {});
  const { delivery } = await makeDelivery(scene, receiver.origin);
  const stop = new AbortController();
  const running = scene.attempt(delivery.id, stop.signal);
  while (receiver.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  await assert.rejects(running);
  assert.deepEqual((await scene.read(delivery.id)).attempts, []);

  receiver.reply = (response) => void response.end('ok');
  scene.clock.advance(MINUTE);
  await scene.attempt(delivery.id);
  const { state, attempts } = await scene.read(delivery.id);
  assert.equal(state, 'delivered');
  assert.deepEqual(
    attempts.map(({ number, error, status_code, started_at }) => [number, error, status_code, started_at]),
    [
      [1, 'interrupted', null, '2026-03-01T09:30:00.120Z'],
      [2, null, 200, '2026-03-01T09:31:00.120Z'],
    ],
  );
});

forEachDatabase('signs with both secrets for a day after a rotation', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver();
  const { caller, webhook, secret, next } = await makeDelivery(scene, receiver.origin);
  const rotated = await rotateSecret(scene.webhooks, caller, { id: webhook.id }, ORIGIN);
  assert.notEqual(rotated.secret, secret);
  const send = async () => {
    await scene.attempt((await next()).id);
    const request = receiver.requests.at(-1);
    assert.ok(request);
    return request;
  };
  scene.clock.advance(DAY - MINUTE);
  const first = await send();
  assert.equal(String(first.headers['webhook-signature']).split(' ').length, 2);
  verifyNow(scene, secret, first);
  verifyNow(scene, rotated.secret, first);
  scene.clock.advance(2 * MINUTE);
  const second = await send();
  verifyNow(scene, rotated.secret, second);
  assert.throws(() => verifyNow(scene, secret, second), /No matching signature/);
  // A second rotation within a day ends the oldest secret.
  await rotateSecret(scene.webhooks, caller, { id: webhook.id }, ORIGIN);
  const third = await send();
  verifyNow(scene, rotated.secret, third);
  assert.throws(() => verifyNow(scene, secret, third), /No matching signature/);
});

forEachDatabase(
  'keeps a secret until it is rotated when the key of all is rotated',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using receiver = await startReceiver();
    const { caller, webhook, secret, next } = await makeDelivery(scene, receiver.origin);
    const send = async () => {
      await scene.attempt((await next()).id);
      return receiver.requests.at(-1) ?? assert.fail('no request');
    };
    const countKeys = async () => (await readSigningKeys(scene.context.database, WEBHOOK_KEY)).accepted.length;
    const cleanAfterDay = async () => {
      scene.clock.advance(DAY + MINUTE);
      await removeUnusedWebhookKeys(scene.context);
    };
    // A worker that has read the keys before the rotation.
    const older = await readSigningKeys(scene.context.database, WEBHOOK_KEY);
    await rotateWebhookKey(scene.context, { isWithdrawn: false });
    await cleanAfterDay();
    verifyNow(scene, secret, await send());
    assert.equal(await countWebhooksOfEarlierKeys(scene.context.database), 1);

    const rotated = await rotateSecret(scene.webhooks, caller, { id: webhook.id }, ORIGIN);
    await removeUnusedWebhookKeys(scene.context);
    await scene.attempt((await next()).id, undefined, older);
    const both = receiver.requests.at(-1) ?? assert.fail('no request');
    for (const each of [secret, rotated.secret]) verifyNow(scene, each, both);
    assert.deepEqual([await countWebhooksOfEarlierKeys(scene.context.database), await countKeys()], [0, 2]);

    await cleanAfterDay();
    assert.equal(await countKeys(), 1, 'no webhook has a secret of the earlier key');
    verifyNow(scene, rotated.secret, await send());
  },
);

forEachDatabase(
  'an operator withdraws the secrets of one account or of all webhooks',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using receiver = await startReceiver();
    const { caller, webhook, secret, next } = await makeDelivery(scene, receiver.origin);
    const other = await scene.webhook(await scene.account({ plan: 'pro' }), `${receiver.origin}/other`);
    const send = async () => {
      await scene.attempt((await next()).id);
      return receiver.requests.at(-1) ?? assert.fail('no request');
    };
    const [own, ...others] = await rotateWebhookSecrets(
      scene.context,
      { accountId: caller.accountId },
      { isWithdrawn: true },
    );
    assert.deepEqual([own?.id, others], [webhook.id, []], 'those of other accounts keep theirs');
    assert.equal((await scene.readWebhook(other.webhook.id)).secret_version, 1);
    const request = await send();
    verifyNow(scene, own?.secret ?? '', request);
    assert.throws(() => verifyNow(scene, secret, request), /No matching signature/);

    const { webhooks } = await rotateWebhookKey(scene.context, { isWithdrawn: true });
    assert.equal(webhooks, 2);
    const later = await send();
    assert.throws(() => verifyNow(scene, own?.secret ?? '', later), /No matching signature/);
    assert.equal((await readSigningKeys(scene.context.database, WEBHOOK_KEY)).accepted.length, 1);
    const { secret: known } = await rotateSecret(scene.webhooks, caller, { id: webhook.id }, ORIGIN);
    verifyNow(scene, known, await send());
    const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM security_event WHERE kind = 'webhook_rotated'`.execute(
      scene.context.database.query(),
    );
    assert.equal(rows[0]?.count, 4);
    assert.deepEqual(await rotateWebhookSecrets(scene.context, { id: 'whk_0' }, { isWithdrawn: false }), []);
  },
);

forEachDatabase('stores no secret', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  const { secret, webhook } = await scene.webhook(await scene.account(), 'https://receiver.example/hook');
  const raw = Buffer.from(secret.slice('whsec_'.length), 'base64');
  assert.equal(raw.length, 32);
  const { rows } = await sql<{
    row: string;
  }>`SELECT webhook::text AS row FROM webhook WHERE id = ${webhook.id}`.execute(scene.context.database.query());
  for (const form of [secret, raw.toString('hex'), raw.toString('base64url')]) assert.ok(!rows[0]?.row.includes(form));
});

forEachDatabase('pauses a webhook that fails repeatedly', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver(replyWith(500));
  const { caller, webhook, next, delivery } = await makeDelivery(scene, receiver.origin);
  const all = [delivery, await next(), await next(), await next()];
  for (const { id } of all) await scene.attempt(id);
  assert.equal(receiver.requests.length, 3, 'the fourth attempt waits');
  const waiting = await scene.read(all[3]?.id ?? '');
  assert.deepEqual([waiting.attempt, Number(waiting.next_attempt_at)], [0, scene.clock.now().getTime() + 30 * SECOND]);

  const test = await testWebhook(scene.webhooks, caller, { id: webhook.id });
  await scene.attempt(test.id);
  assert.equal(receiver.requests.length, 4, 'a test does not wait');
  assert.equal((await scene.read(test.id)).state, 'failed');
  assert.equal((await scene.readWebhook(webhook.id)).failures, 3, 'a test is not counted');

  receiver.reply = replyWith(200);
  scene.clock.advance(31 * SECOND);
  for (const { id } of all) await scene.attempt(id);
  assert.deepEqual(
    (await Promise.all(all.map(({ id }) => scene.read(id)))).map(({ state }) => state),
    ['delivered', 'delivered', 'delivered', 'delivered'],
  );
  const { failures, failing_since, paused_until } = await scene.readWebhook(webhook.id);
  assert.deepEqual([failures, failing_since, paused_until], [0, null, null]);
});

forEachDatabase(
  'turns a webhook off after a week of at least 20 failures, and emails its owner',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using receiver = await startReceiver(replyWith(500));
    const { caller, webhook, next } = await makeDelivery(scene, receiver.origin);
    const fail = async () => {
      const { id } = await next();
      await scene.attempt(id);
      return id;
    };
    for (let i = 0; i < 25; i++) {
      await fail();
      scene.clock.advance(6 * MINUTE);
    }
    assert.equal((await scene.readWebhook(webhook.id)).enabled, true, 'not before a week is over');
    scene.clock.advance(7 * DAY);
    const waiting = await next();
    const last = await fail();
    const off = await scene.readWebhook(webhook.id);
    assert.deepEqual([off.enabled, off.off_reason], [false, 'failing']);
    assert.equal((await scene.read(waiting.id)).state, 'skipped');
    assert.equal((await scene.read(last)).state, 'failed', 'it was sent');

    const mails: Mail[] = [];
    const mailer = { delivers: true, send: async (mail: Mail) => void mails.push(mail) };
    const delivery = { mailer, siteUrl: () => 'https://almanac.example', log: createLog('silent') };
    await sendOffMail(scene.context, webhook.id, delivery);
    assert.equal(mails[0]?.to, caller.email);
    assert.match(mails[0]?.text ?? '', new RegExp(`https://almanac.example/auth/account/webhooks/${webhook.id}`));
    const { rows } = await sql<{ data: object }>`SELECT data FROM queue.job WHERE name = 'mail'`.execute(
      scene.context.database.query(),
    );
    assert.deepEqual(
      rows.map(({ data }) => data),
      [{ webhookOffId: webhook.id }],
    );

    // Turned on again, it has its week again.
    await updateWebhook(scene.webhooks, caller, { id: webhook.id }, { enabled: true });
    await sendOffMail(scene.context, webhook.id, delivery);
    assert.equal(mails.length, 1);
    await fail();
    const on = await scene.readWebhook(webhook.id);
    assert.deepEqual([on.enabled, on.failures], [true, 1]);
  },
);

forEachDatabase(
  'a few failures in a long time do not turn a webhook off, and 410 does',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using receiver = await startReceiver(replyWith(500));
    const { caller, webhook, next } = await makeDelivery(scene, receiver.origin);
    for (let i = 0; i < 19; i++) {
      await scene.attempt((await next()).id);
      scene.clock.advance(DAY);
    }
    assert.equal((await scene.readWebhook(webhook.id)).enabled, true);
    receiver.reply = replyWith(410);
    const { id } = await next();
    await scene.attempt(id);
    const { enabled, off_reason } = await scene.readWebhook(webhook.id);
    assert.deepEqual([enabled, off_reason], [false, 'gone']);
    assert.equal((await scene.read(id)).state, 'failed');

    // Its owner gets one email in a day, however often it is turned on again.
    const countMails = async () => {
      const { rows } = await sql`SELECT FROM queue.job WHERE name = 'mail'`.execute(scene.context.database.query());
      return rows.length;
    };
    assert.equal(await countMails(), 1);
    for (const [hours, mails] of [
      [1, 1],
      [24, 2],
      [1, 2],
    ] as const) {
      scene.clock.advance(hours * 60 * MINUTE);
      await updateWebhook(scene.webhooks, caller, { id: webhook.id }, { enabled: true });
      await scene.attempt((await next()).id);
      assert.equal((await scene.readWebhook(webhook.id)).enabled, false);
      assert.equal(await countMails(), mails);
    }
  },
);

forEachDatabase('sends nothing for an owner that is locked or has lost its plan', WEBHOOK_DATABASE, async (fixture) => {
  const scene = await openWebhookScene(fixture);
  await using receiver = await startReceiver();
  const { caller, next, delivery, webhook } = await makeDelivery(scene, receiver.origin);
  const db = scene.context.database.query();
  await sql`UPDATE account SET plan = 'free' WHERE id = ${caller.accountId}`.execute(db);
  await scene.attempt(delivery.id);
  assert.equal((await scene.read(delivery.id)).state, 'skipped');
  const count = (await scene.deliveries(webhook.id)).length;
  await next();
  assert.equal((await scene.deliveries(webhook.id)).length, count, 'no delivery is made');
  await sql`UPDATE account SET plan = 'pro', locked_at = now() WHERE id = ${caller.accountId}`.execute(db);
  await next();
  assert.equal((await scene.deliveries(webhook.id)).length, count);
  assert.deepEqual(receiver.requests, []);
});

forEachDatabase(
  'a webhook that is turned off ends its deliveries, which can be replayed',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using receiver = await startReceiver();
    const { caller, webhook, delivery, next } = await makeDelivery(scene, receiver.origin);
    const key = { id: webhook.id };
    await updateWebhook(scene.webhooks, caller, key, { enabled: false });
    assert.equal((await scene.read(delivery.id)).state, 'skipped');
    await scene.attempt(delivery.id);
    assert.equal((await next()).id, delivery.id, 'an event makes no delivery while the webhook is off');
    await assert.rejects(replayDelivery(scene.webhooks, caller, key, delivery.id), { code: 'CONFLICT' });
    await updateWebhook(scene.webhooks, caller, key, { enabled: true });
    assert.deepEqual(receiver.requests, []);

    const replay = await replayDelivery(scene.webhooks, caller, key, delivery.id);
    assert.deepEqual([replay.replays, replay.event_id, replay.body], [delivery.id, delivery.event_id, delivery.body]);
    await scene.attempt(replay.id);
    assert.equal((await scene.read(replay.id)).state, 'delivered');
    const [request] = receiver.requests as readonly ReceivedRequest[];
    assert.equal(request?.headers['webhook-id'], delivery.event_id);
    assert.equal((await scene.read(delivery.id)).state, 'skipped', 'the first delivery stays as it ended');
  },
);

forEachDatabase(
  'another URL gets what is pending, without the failures of the old one',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const scene = await openWebhookScene(fixture);
    await using broken = await startReceiver(replyWith(500));
    await using working = await startReceiver();
    const { caller, webhook, delivery, next } = await makeDelivery(scene, broken.origin);
    for (const { id } of [delivery, await next(), await next()]) await scene.attempt(id);
    assert.notEqual((await scene.readWebhook(webhook.id)).paused_until, null);
    const changed = await updateWebhook(scene.webhooks, caller, { id: webhook.id }, { url: working.origin });
    assert.deepEqual([changed.failures, changed.failing_since, changed.paused_until], [0, null, null]);
    await scene.attempt(delivery.id);
    assert.equal((await scene.read(delivery.id)).state, 'delivered');
    assert.equal(working.requests.length, 1);
  },
);
