import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { dispatchEvents } from '../../src/notifications/index.ts';
import { claimMail } from '../../src/notifications/mails/claim-mail.ts';
import { DAY, MINUTE } from '../support/identity/identity.ts';
import { MAIL_DATABASE, openMailScene, type Reader } from '../support/notifications/mail-scene.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';

const HOUR = 60 * MINUTE;

forEachDatabase(
  'an email whose job was lost ends, and what no attempt began to send is in the next one',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    await using server = await startMailServer();
    const first = await scene.makeDue(reader);
    // It waited for a day, because of the limits or a mail server that was down.
    await sql`UPDATE notification_mail SET created_at = created_at - interval '1 day'`.execute(scene.database.query());
    scene.clock.advance(23 * HOUR);
    await scene.clean();
    assert.deepEqual(await scene.states(reader), ['queued 0']);
    scene.clock.advance(HOUR + 1);
    await scene.clean();
    await scene.clean();
    assert.deepEqual(await scene.states(reader), ['failed 0', 'queued 0']);
    await scene.send(first, mailerTo(server.url()));
    assert.equal(server.mails.length, 0, 'the job was only late');
    const second = (await scene.mails(reader))[1]?.id ?? '';
    assert.equal((await scene.jobs()).filter(({ mail }) => mail === second).length, 1);
    scene.clock.advance(MINUTE);
    assert.ok(await claimMail(scene.sending, second));
    const late = await scene.complete(reader);
    scene.clock.advance(HOUR);
    await scene.clean();
    assert.deepEqual(await scene.states(reader), ['failed 0', 'sending 1']);
    scene.clock.advance(1);
    await scene.clean();
    assert.deepEqual(await scene.states(reader), ['failed 0', 'unknown 1', 'queued 0']);
    assert.equal(await scene.sendNext(reader, mailerTo(server.url())), 10);
    assert.deepEqual(server.mails[0]?.text.match(/ef_\w+/g), [late]);
  },
);

forEachDatabase('starts forgotten emails, and removes old ones', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const { database, clock } = scene;
  const readers: Reader[] = [];
  for (let i = 0; i < 101; i++) readers.push(await scene.account());
  const ids = await Promise.all(readers.map((reader) => scene.forecast(reader)));
  await scene.record('completed', ids);
  await sql`DELETE FROM notification_mail`.execute(database.query());
  await scene.clean();
  await scene.clean();
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(
      database.query(),
    );
    return rows[0]?.count;
  };
  assert.equal(await count('notification_mail'), 101);
  const [reader, ...others] = readers as [Reader, ...Reader[]];
  await sql`DELETE FROM notification_choice WHERE account_id <> ${reader.id}`.execute(database.query());
  assert.deepEqual([await count('notification_mail'), await count('notification_line')], [1, 1]);
  assert.equal(others.length, 100);
  await using server = await startMailServer();
  const [{ id: sent = '' } = {}] = await scene.mails(reader);
  await scene.sendNext(reader, mailerTo(server.url()));
  clock.advance(29 * DAY);
  await scene.clean();
  assert.equal(await count('notification_line'), 1);
  // This email is being sent when its lines are old.
  const waiting = await scene.makeDue(reader);
  await sql`UPDATE notification_line SET created_at = created_at - interval '40 days'`.execute(database.query());
  await claimMail(scene.sending, waiting);
  await scene.clean();
  assert.deepEqual(await scene.states(reader), ['sent 1', 'sending 1']);
  assert.equal(await count('notification_line'), 1, 'that of the email that has not ended');
  clock.advance(370 * DAY);
  await scene.clean();
  assert.deepEqual(await scene.states(reader), ['sent 1', 'unknown 1']);
  clock.advance(DAY + HOUR);
  await scene.clean();
  assert.deepEqual([await scene.states(reader), await count('notification_line')], [['unknown 1'], 0]);
  // The row of the email that was sent is gone. Neither its job nor its event sends it again.
  await scene.send(sent, mailerTo(server.url()));
  assert.equal(await dispatchEvents(scene.context), 0);
  await scene.clean();
  assert.deepEqual([server.mails.length, await scene.states(reader)], [1, ['unknown 1']]);
});
