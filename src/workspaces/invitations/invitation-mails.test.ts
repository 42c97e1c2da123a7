import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { SITE_URL } from '../../../test/support/api/api.ts';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { DAY, MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { startMailServer } from '../../../test/support/platform/mail-server.ts';
import { mailerTo, secretIn } from '../../../test/support/platform/mailbox.ts';
import { tablesContaining } from '../../../test/support/platform/rows.ts';
import {
  makeMember,
  makeWorkspace,
  principalOf,
  recordMailRequests,
} from '../../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { createLog, type Database, MailError } from '../../platform/index.ts';
import {
  acceptInvitation,
  addCollaborator,
  deleteWorkspace,
  findMembership,
  readInvitation,
  removeCollaborator,
  removeOldInvitations,
  sendInvitation,
  transferWorkspace,
} from '../index.ts';
import type { WorkspaceTables } from '../tables.ts';
import { invitationMail, ownershipMail } from './invitation-mails.ts';

const options = { migrations: MIGRATIONS };
const silent = { siteUrl: () => SITE_URL, log: createLog('silent') };

async function openScene(database: Database) {
  const identity = movableIdentity(database);
  const context = recordMailRequests(identity);
  const server = await startMailServer();
  const owner = principalOf(await makeAccount(identity, { email: 'owner@example.org', password: null }));
  const { id } = await makeWorkspace(database, owner.accountId, 'Rates "desk"');
  const mailer = mailerTo(server.url());
  let sent = 0;
  return {
    identity,
    context,
    server,
    owner,
    workspaceId: id,
    mailer,
    add: (email: string) => addCollaborator(context, owner, id, { email, role: 'viewer', scope: {} }),
    /** Sends the requested emails, as the worker does. */
    async deliver(log = silent.log) {
      const before = server.mails.length;
      for (; sent < context.mails.length; sent++) {
        const invitationId = context.mails[sent] ?? '';
        await sendInvitation(context, { invitationId }, { mailer, siteUrl: () => SITE_URL, log });
      }
      return server.mails.slice(before);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

forEachDatabase(
  'names the sender, the workspace and the expiry in an invitation, and stores its secret nowhere',
  options,
  async ({ database }) => {
    await using scene = await openScene(database);
    const { context, identity } = scene;
    const { collaborator_id } = await scene.add('new@example.org');
    const [mail, ...others] = await scene.deliver();
    assert.equal(others.length, 0);
    assert.deepEqual(mail?.recipients, ['new@example.org']);
    assert.ok(mail.headers.includes('Subject: You are invited to a workspace of Almanac'));
    const secret = secretIn(mail);
    assert.equal(
      mail?.text,
      `owner@example.org invites you (new@example.org) to the workspace "Rates 'desk'" at ${SITE_URL}, as a viewer. To accept or decline, open

${SITE_URL}/auth/invitation?token=${secret}

The link works once, until 2026-03-15 09:30 UTC. You need an account with this address; you can create one on the page.

If you do not know the sender, ignore this email; nothing will happen.
`,
    );
    assert.deepEqual(await tablesContaining(database, secret), []);
    assert.deepEqual(await tablesContaining(database, secret.slice(-8)), []);

    const invitation = await readInvitation(context, null, { secret });
    assert.deepEqual(invitation, {
      id: collaborator_id,
      isOwnership: false,
      workspaceId: scene.workspaceId,
      workspaceName: 'Rates "desk"',
      senderEmail: 'owner@example.org',
      email: 'new@example.org',
      role: 'viewer',
    });
    identity.clock.advance(14 * DAY - 1);
    assert.ok(await readInvitation(context, null, { secret }));
    identity.clock.advance(1);
    assert.equal(await readInvitation(context, null, { secret }), null, 'an invitation expires after 14 days');
  },
);

forEachDatabase('sends the same email to an address with an account', options, async ({ database }) => {
  await using scene = await openScene(database);
  const { email } = await makeAccount(scene.identity, { password: null });
  const anonymize = (text = '', ...hidden: string[]) => hidden.reduce((left, one) => left.replaceAll(one, '…'), text);
  const texts = [];
  for (const to of [email, 'new@example.org']) {
    await scene.add(to);
    const [mail] = await scene.deliver();
    assert.deepEqual(mail?.recipients, [to]);
    texts.push(anonymize(mail?.text, to, secretIn(mail)));
  }
  assert.equal(texts[0], texts[1]);
});

forEachDatabase('sends no email to a locked account', options, async ({ database }) => {
  await using scene = await openScene(database);
  const { id, email } = await makeAccount(scene.identity, { password: null });
  const setLock = (at: Date | null) =>
    sql`UPDATE account SET locked_at = ${at} WHERE id = ${id}`.execute(database.query());
  await setLock(scene.identity.clock.now());
  const { collaborator_id } = await scene.add(email);
  assert.deepEqual(await scene.deliver(), []);
  await setLock(null);
  await sendInvitation(scene.context, { invitationId: collaborator_id }, { ...silent, mailer: scene.mailer });
  assert.deepEqual(scene.server.mails[0]?.recipients, [email], 'the invitation is still open');
});

forEachDatabase(
  'states in the email of a transfer that the owner pays and that nothing changes before',
  options,
  async ({ database }) => {
    await using scene = await openScene(database);
    const { context, owner, workspaceId, identity } = scene;
    const { id, email } = await makeAccount(identity, { email: 'next@example.org', password: null });
    const collaboratorId = await makeMember(database, workspaceId, id);
    await transferWorkspace(context, owner, workspaceId, { collaboratorId });
    const [mail] = await scene.deliver();
    assert.deepEqual(mail?.recipients, [email]);
    assert.ok(mail.headers.includes('Subject: You are invited to own a workspace of Almanac'));
    const secret = secretIn(mail);
    assert.equal(
      mail?.text,
      `owner@example.org wants to make you (next@example.org) the owner of the workspace "Rates 'desk'" at ${SITE_URL}. The owner pays: forecasts in the workspace use the credits and slots of its owner, whichever member creates them. To accept or decline, open

${SITE_URL}/auth/invitation?token=${secret}

The link works once, until 2026-03-15 09:30 UTC. Until you accept, nothing changes.

If you do not want this, ignore this email; nothing will happen.
`,
    );
    assert.ok(await acceptInvitation(context, principalOf({ id, email }), { secret }));
    assert.equal((await findMembership(database, id, workspaceId))?.role, 'owner');
  },
);

const MAIL = { to: 'a@example.org', siteUrl: SITE_URL, senderEmail: 'b@example.org' } as const;

function mailsAbout(workspaceName: string) {
  const link = { secret: 'alm_lnk_x', expiresAt: new Date(0) };
  const facts = { ...MAIL, ...link, workspaceName };
  return [ownershipMail(facts), invitationMail({ ...facts, role: 'viewer' })];
}

test('omits a workspace name that looks like a link', () => {
  for (const workspace of [
    'Win at evil.example',
    'https://evil',
    'ftp://evil',
    'WWW evil',
    'www.evil',
    'Größe: böse.рф now',
    'пример.рф',
    'evil。example',
    'evil．example',
    'ｅｖｉｌ.ｃｏｍ',
    'evil\u200b.example',
    '👍.ws',
    'call 192.0.2.7 now',
    'mail us at evil@evil.example',
  ]) {
    for (const { subject, text } of mailsAbout(workspace)) {
      assert.doesNotMatch(`${subject} ${text}`, /evil|ｅｖｉｌ|рф|\.ws|192\.0/i, workspace);
      assert.match(text, /(to|of) a workspace at/);
    }
  }
  for (const workspace of ['Rates v1.2', 'Ann’s desk. 2026', 'FX & rates', 'Q1...Q4', 'Nr. 5'])
    assert.ok(mailsAbout(workspace)[0]?.text.includes(`the workspace "${workspace}"`), workspace);
});

test('quotes a name with line breaks, set before names were validated, on one line', () => {
  const older = 'Desk\r\n\r\nYour account is closed.\u2028Say "yes"\u202e now';
  for (const { text } of mailsAbout(older)) {
    const quoted = `"Desk Your account is closed. Say 'yes' now"`;
    assert.ok(text.split('\n')[0]?.includes(quoted), text);
  }
  assert.match(mailsAbout('\u200b')[0]?.text ?? '', /of a workspace at/);
});

forEachDatabase('sends no email for an invitation that has ended', options, async ({ database }) => {
  await using scene = await openScene(database);
  const { context, owner, workspaceId } = scene;
  const { email } = await makeAccount(scene.identity, { password: null });
  for (const added of [await scene.add('back@example.org'), await scene.add(email)]) {
    await removeCollaborator(context, owner, workspaceId, added.collaborator_id);
  }
  assert.deepEqual(await scene.deliver(), []);
  await scene.add('gone@example.org');
  await deleteWorkspace(context, owner, workspaceId);
  assert.deepEqual(await scene.deliver(), []);
});

forEachDatabase('sends an email again after a failure, with a link that works', options, async ({ database }) => {
  let refusals = 1;
  await using server = await startMailServer({
    onRcptTo: (_address, _session, done) =>
      refusals-- > 0 ? done(Object.assign(new Error('busy'), { responseCode: 451 })) : done(),
  });
  await using scene = await openScene(database);
  const { context } = scene;
  const { collaborator_id: invitationId } = await scene.add('new@example.org');
  await assert.rejects(
    sendInvitation(context, { invitationId }, { mailer: mailerTo(server.url()), ...silent }),
    MailError,
  );
  const [mail] = await scene.deliver();
  const secret = secretIn(mail);
  assert.ok(await readInvitation(context, null, { secret }));
  const { email, id } = await makeAccount(scene.identity, { email: 'new@example.org', password: null });
  assert.ok(await acceptInvitation(context, principalOf({ id, email }), { secret }));
  await sendInvitation(context, { invitationId }, { mailer: scene.mailer, ...silent });
  assert.equal(scene.server.mails.length, 1, 'an accepted invitation is not sent again');
});

forEachDatabase(
  'sends five invitations an hour to one address, from all workspaces together',
  options,
  async ({ database }) => {
    await using scene = await openScene(database);
    const { context, identity, owner } = scene;
    const invite = async () => {
      const { id } = await makeWorkspace(database, owner.accountId);
      await addCollaborator(context, owner, id, { email: 'victim@example.org', role: 'viewer', scope: {} });
    };
    const lines: string[] = [];
    const log = createLog(
      'info',
      new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
    );
    for (let i = 0; i < 7; i++) await invite();
    await scene.add('other@example.org');
    assert.equal((await scene.deliver(log)).length, 6, 'five, and one to another address');
    assert.equal(lines.length, 2);
    assert.match(lines.join(''), /mail not sent: the hourly limit of this address is reached/);
    assert.ok(!lines.join('').includes('victim'), 'the log does not contain the address');
    identity.clock.advance(60 * MINUTE);
    await invite();
    assert.equal((await scene.deliver()).length, 1);
  },
);

forEachDatabase('removes ended invitations after a day and keeps open ones', options, async ({ database }) => {
  await using scene = await openScene(database);
  const { context, identity, owner, workspaceId } = scene;
  const { id: elsewhere } = await makeWorkspace(database, owner.accountId);
  const open = await scene.add('open@example.org');
  const back = await scene.add('back@example.org');
  await removeCollaborator(context, owner, workspaceId, back.collaborator_id);
  await addCollaborator(context, owner, elsewhere, { email: 'gone@example.org', role: 'viewer', scope: {} });
  await deleteWorkspace(context, owner, elsewhere);
  const left = async () => {
    await removeOldInvitations(context);
    const rows = await database.query<WorkspaceTables>().selectFrom('workspace_invitation').select('id').execute();
    return rows.map(({ id }) => id);
  };
  assert.equal((await left()).length, 3);
  identity.clock.advance(DAY + 1);
  assert.deepEqual(await left(), [open.collaborator_id]);
  identity.clock.advance(14 * DAY);
  assert.deepEqual(await left(), []);
});
