import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { changeChoice, dispatchEvents } from '../../src/notifications/index.ts';
import { recordOutboxEvents } from '../../src/platform/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { DAY, MINUTE } from '../support/identity/identity.ts';
import {
  createKeepingMailer,
  MAIL_DATABASE,
  type MailScene,
  openMailScene,
  type Reader,
} from '../support/notifications/mail-scene.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { headerOf } from '../support/platform/mail-parts.ts';
import { type ReceivedMail, startMailServer } from '../support/platform/mail-server.ts';
import { mailerTo } from '../support/platform/mailbox.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

const listed = ({ text }: Pick<ReceivedMail, 'text'>) => text.match(/(?<=\/forecasts\/)ef_\w+/g) ?? [];

/** Returns the types of events that wait for an email to an account. */
async function waiting({ database }: MailScene, { id }: Pick<Reader, 'id'>): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    SELECT type FROM notification_line WHERE account_id = ${id} AND mail_id IS NULL ORDER BY created_at`.execute(
    database.query(),
  );
  return rows.map(({ type }) => type.replace('forecast.', ''));
}

forEachDatabase(
  'only accounts that turned emails on get them, of the kinds they chose',
  MAIL_DATABASE,
  async (fixture) => {
    const scene = await openMailScene(fixture);
    const accounts = {
      neither: await scene.account(null),
      off: await scene.account({ forecasts: false, outcomes: false }),
      forecasts: await scene.account({ forecasts: true }),
      outcomes: await scene.account({ outcomes: true }),
      both: await scene.account(),
      guest: { id: 'gst_of_a_test', email: '' },
    };
    for (const owner of Object.values(accounts)) {
      const ids = [await scene.forecast(owner)];
      await scene.record('completed', ids);
      scene.clock.advance(1);
      await scene.record('failed', ids, { code: 'NO_MODEL_FITTED' });
      scene.clock.advance(1);
      await scene.record('outcome', ids);
      await scene.record('failed', ids, { code: 'FORECAST_CANCELED' });
      await scene.record('outcome', ids, { status: 'unavailable' });
      await scene.record('completed', ['ef_that_was_deleted']);
      await scene.database.transaction((tx) =>
        recordOutboxEvents(tx, 'receipt.stamped', [{ subject: ids[0] ?? '' }], scene.clock.now()),
      );
      await dispatchEvents(scene.context);
    }
    const found: Record<string, string[]> = {};
    for (const [name, account] of Object.entries(accounts)) found[name] = await waiting(scene, account);
    assert.deepEqual(found, {
      neither: [],
      off: [],
      forecasts: ['completed', 'failed'],
      outcomes: ['outcome'],
      both: ['completed', 'failed', 'outcome'],
      guest: [],
    });
    const { rows } = await sql<{ mails: number }>`SELECT count(*)::int AS mails FROM notification_mail`.execute(
      scene.database.query(),
    );
    assert.deepEqual([rows[0]?.mails, (await scene.jobs()).length], [3, 3]);
  },
);

forEachDatabase('events of a minute share one email, which is sent once', MAIL_DATABASE, async (fixture) => {
  await using server = await startMailServer();
  const scene = await openMailScene(fixture);
  const [reader, other] = [await scene.account(), await scene.account()];
  const ids = [await scene.complete(reader, { title: 'The first' })];
  const start = new Date(scene.clock.now().getTime() + MINUTE);
  for (const title of ['The second', null]) {
    scene.clock.advance(10_000);
    ids.push(await scene.complete(reader, { title }));
  }
  scene.clock.advance(10_000);
  ids.push(await scene.forecast(reader, { status: 'failed', title: 'Broken' }));
  await scene.record('failed', ids.slice(-1), { code: 'NO_MODEL_FITTED' });
  scene.clock.advance(10_000);
  await scene.record('outcome', ids.slice(0, 1));
  await scene.complete(other, { title: 'Of another' });

  const [mail, ...more] = await scene.mails(reader);
  assert.ok(mail);
  assert.deepEqual(more, []);
  assert.deepEqual([mail.state, mail.send_at], ['queued', start]);
  const jobs = (await scene.jobs()).filter((job) => job.mail === mail.id);
  assert.deepEqual(jobs, [{ mail: mail.id, start, priority: -1 }]);
  await scene.sendNext(reader, mailerTo(server.url()));
  assert.deepEqual(await scene.states(reader), ['sent 1']);
  const [received, ...others] = server.mails;
  assert.ok(received);
  assert.deepEqual(others, []);
  assert.deepEqual(received.recipients, [reader.email]);
  assert.equal(headerOf(received.headers, 'subject'), '3 forecasts are ready, 1 failed, 1 outcome is complete');
  assert.equal(headerOf(received.headers, 'message-id'), `<${mail.id.toLowerCase()}@127.0.0.1>`);
  const [link = ''] = received.links;
  assert.ok(link.startsWith(`${SITE_URL}/notifications/unsubscribe?token=`));
  assert.equal(headerOf(received.headers, 'list-unsubscribe'), `<${link}>`);
  assert.equal(headerOf(received.headers, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.deepEqual(listed(received), [ids[0], ids[3], ids[2], ids[1], ids[0]], 'the newest first');
  for (const line of [
    'The outcome of "The first" is complete.',
    '"Broken" failed: None.',
    '"Inline rows, 3 days" has completed.',
  ])
    assert.ok(received.text.includes(`\n\n${line}\n${SITE_URL}/forecasts/`), received.text);
  assert.doesNotMatch(received.text, /Of another/);
  assert.deepEqual(
    received.parts.map(({ type }) => type),
    ['text/plain', 'text/html'],
  );
  await scene.send(mail.id, mailerTo(server.url()));
  assert.equal(server.mails.length, 1, 'a repeated job does nothing');
});

forEachDatabase(
  'an account gets one email in 10 minutes and 20 in a day, and none loses an event',
  MAIL_DATABASE,
  async (fixture) => {
    const mailer = createKeepingMailer();
    const scene = await openMailScene(fixture);
    const reader = await scene.account();
    const ids: string[] = [];
    const waits: (number | null)[] = [];
    const sent: number[] = [];
    for (let i = 0; i < 22; i++) {
      ids.push(await scene.complete(reader));
      if (i === 20) ids.push(await scene.complete(reader));
      waits.push(await scene.sendNext(reader, mailer));
      sent.push(scene.clock.now().getTime());
    }
    // The 21st is sent a day after the first, which was sent 190 minutes before the 20th.
    assert.deepEqual(waits, [1, ...Array(19).fill(10), 24 * 60 - 190, 10]);
    for (const time of sent) assert.ok(sent.filter((other) => other > time - DAY && other <= time).length <= 20);
    assert.deepEqual(mailer.mails.flatMap(listed).sort(), ids.sort(), 'each event is in one email');
    scene.clock.advance(30 * MINUTE);
    await scene.complete(reader);
    assert.equal(await scene.sendNext(reader, mailer), 1, 'after a pause, an email waits a minute');
    assert.equal(await scene.sendNext(reader, mailer), null);
  },
);

forEachDatabase('an email has at most 50 lines and counts the others', MAIL_DATABASE, async (fixture) => {
  await using server = await startMailServer();
  const scene = await openMailScene(fixture);
  const reader = await scene.account();
  const ids: string[] = [];
  for (let i = 0; i < 53; i++) ids.push(await scene.forecast(reader));
  await scene.record('completed', ids.slice(0, 3));
  scene.clock.advance(1);
  await scene.record('completed', ids.slice(3));
  await scene.sendNext(reader, mailerTo(server.url()));
  const [mail] = server.mails;
  assert.ok(mail);
  assert.equal(headerOf(mail.headers, 'subject'), '53 forecasts are ready');
  assert.deepEqual(listed(mail).sort(), ids.slice(3).sort(), 'the newest');
  assert.ok(mail.text.includes(`and 3 more:\n${SITE_URL}/forecasts\n`));
  assert.deepEqual(await scene.states(reader), ['sent 1']);
  assert.equal(await scene.sendNext(reader, mailerTo(server.url())), null);
});

type Change = (scene: MailScene, reader: Reader, forecast: string) => Promise<unknown>;

const turnOff =
  (choice: object): Change =>
  ({ identity }, { id }) =>
    changeChoice(identity, id, choice);
const setAccount =
  (columns: Record<string, unknown>): Change =>
  (scene, reader) =>
    scene.change(reader, columns);
const setForecast =
  (visibility: string): Change =>
  ({ database }, _reader, id) =>
    sql`UPDATE forecast SET visibility = ${visibility} WHERE id = ${id}`.execute(database.query());
const setScope =
  (mode: string, isSelected = false): Change =>
  ({ database }, { id }, forecast) =>
    sql`UPDATE workspace_member SET forecasts_scope_mode = ${mode}, forecasts_scope_ids = ${isSelected ? [forecast] : []}
      WHERE account_id = ${id} AND role = 'editor'`.execute(database.query());
const giveAway: Change = async (scene, _reader, id) => {
  const { id: other } = await scene.account(null);
  await sql`UPDATE forecast SET owner = ${other}, account_id = ${other} WHERE id = ${id}`.execute(
    scene.database.query(),
  );
};
const leave: Change = ({ database }, { id }) =>
  sql`DELETE FROM workspace_member WHERE account_id = ${id} AND role = 'editor'`.execute(database.query());

/** What happens to an account or its forecast between the event and the email, and the state of the email. */
const CHANGES: readonly (readonly [description: string, changes: readonly Change[], state: string])[] = [
  ['both kinds are turned off', [turnOff({ forecasts: false, outcomes: false })], 'skipped 0'],
  ['this kind is turned off', [turnOff({ forecasts: false })], 'skipped 1'],
  ['the other kind is turned off', [turnOff({ outcomes: false })], 'sent 1'],
  ['the address is not verified', [setAccount({ email_verified: false })], 'skipped 0'],
  ['an email bounced', [setAccount({ bounced_at: new Date() })], 'skipped 0'],
  ['the account is locked', [setAccount({ locked_at: new Date() })], 'skipped 0'],
  [
    'the forecast is deleted',
    [({ database }, _, id) => sql`DELETE FROM forecast WHERE id = ${id}`.execute(database.query())],
    'skipped 1',
  ],
  ['the forecast belongs to another account', [giveAway], 'skipped 1'],
  ['nothing changes in the workspace', [], 'sent 1'],
  ['the account leaves the workspace', [leave], 'skipped 1'],
  ['the account leaves, and the forecast is public', [leave, setForecast('public')], 'sent 1'],
  ['the account may read no forecast', [setScope('none')], 'skipped 1'],
  ['the account may read others', [setScope('selected')], 'skipped 1'],
  ['the account may read others and its private ones', [setScope('selected'), setForecast('private')], 'sent 1'],
  ['the account may read this one', [setScope('selected', true)], 'sent 1'],
];

forEachDatabase(
  'sends only what the account may read and wants when the email is sent',
  MAIL_DATABASE,
  async (fixture) => {
    const mailer = createKeepingMailer();
    const scene = await openMailScene(fixture);
    const { id: workspace } = await makeWorkspace(scene.database, (await scene.account(null)).id);
    for (const [description, changes, state] of CHANGES) {
      const reader = await scene.account();
      await makeMember(scene.database, workspace, reader.id, { role: 'editor' });
      const forecast = await scene.complete(reader, { workspace });
      for (const change of changes) await change(scene, reader, forecast);
      await scene.sendNext(reader, mailer);
      assert.deepEqual(await scene.states(reader), [state], description);
      const mails = mailer.mails.filter(({ to }) => to === reader.email);
      assert.equal(mails.length, state === 'sent 1' ? 1 : 0, description);
      if (state !== 'skipped 0') continue;
      // What was not sent is over, even if the account later gets emails again.
      await scene.change(reader, { email_verified: true, bounced_at: null, locked_at: null });
      await changeChoice(scene.identity, reader.id, { forecasts: true, outcomes: true });
      const next = await scene.complete(reader);
      assert.equal(await scene.sendNext(reader, mailer), 1, 'nothing was sent that counts');
      const last = mailer.mails.at(-1);
      assert.deepEqual([last?.to, last && listed(last)], [reader.email, [next]], description);
    }
  },
);

forEachDatabase('an account that cannot get emails has no lines', MAIL_DATABASE, async (fixture) => {
  const scene = await openMailScene(fixture);
  const { id: workspace } = await makeWorkspace(scene.database, (await scene.account(null)).id);
  for (const columns of [{ email_verified: false }, { bounced_at: new Date() }, { locked_at: new Date() }]) {
    const reader = await scene.account();
    await scene.change(reader, columns);
    await scene.complete(reader);
    assert.deepEqual([await waiting(scene, reader), await scene.mails(reader)], [[], []], Object.keys(columns)[0]);
  }
  const outsider = await scene.account();
  await scene.complete(outsider, { workspace });
  assert.deepEqual(await waiting(scene, outsider), [], 'a former member');
});
