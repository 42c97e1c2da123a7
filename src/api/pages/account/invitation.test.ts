import assert from 'node:assert/strict';
import { requestAs } from '../../../../test/support/api/request-as.ts';
import { makeAccount, PASSWORD, withKey } from '../../../../test/support/identity/callers.ts';
import type { PageVisitor } from '../../../../test/support/identity/page-visitor.ts';
import { openPages } from '../../../../test/support/identity/pages.ts';
import { linkIn, sendMails } from '../../../../test/support/identity/sent-links.ts';
import { forEachDatabase, type TestDatabase } from '../../../../test/support/platform/database.ts';
import { tablesContaining } from '../../../../test/support/platform/rows.ts';
import { makeMember, makeWorkspace } from '../../../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import { createLog, type Mail } from '../../../platform/index.ts';
import {
  findMembership,
  type OfferedWorkspace,
  sendInvitation,
  type WorkspaceTables,
} from '../../../workspaces/index.ts';

const options = { migrations: MIGRATIONS, queue: true };
const PATH = '/auth/invitation';

async function openScene(fixture: TestDatabase) {
  const pages = await openPages(fixture);
  const { identity, app } = pages;
  const { database } = fixture;
  const owner = await makeAccount(identity, { email: 'owner@example.org', password: null });
  const workspace = await makeWorkspace(database, owner.id, 'Rates & <Futures>');
  const request = requestAs(app, await withKey(identity, owner.id));
  const at = `/v1/workspaces/${workspace.id}/collaborators`;
  return {
    ...pages,
    database,
    workspace,
    request,
    at,
    /** Invites an address and sends the email as the worker does. @returns the link of the email */
    async invite(email: string, role = 'editor') {
      const { data, status, body } = await request<{ collaborator_id: string }>('POST', at, { email, role });
      assert.equal(status, 201, body);
      const mails: Mail[] = [];
      const mailer = { delivers: true, send: async (mail: Mail) => void mails.push(mail) };
      const delivery = { mailer, siteUrl: () => 'http://127.0.0.1:8080', log: createLog('silent') };
      await sendInvitation({ database, clock: identity.clock }, { invitationId: data.collaborator_id }, delivery);
      const link = linkIn(mails[0] ?? { text: '' });
      return { id: data.collaborator_id, link, token: new URL(link, 'http://site').searchParams.get('token') ?? '' };
    },
    async roleOf(email: string) {
      const account = await database
        .query<{ account: { id: string; email: string } }>()
        .selectFrom('account')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst();
      return account ? ((await findMembership(database, account.id, workspace.id))?.role ?? null) : null;
    },
  };
}

async function signIn(visitor: PageVisitor, email: string): Promise<void> {
  const { status } = await visitor.post('/auth/sign-in', { email, password: PASSWORD });
  assert.equal(status, 303);
}

/** Follows redirects like a browser. */
async function follow(visitor: PageVisitor, location: string | undefined) {
  let page = await visitor.get(location ?? '');
  for (let steps = 0; page.location !== undefined && steps < 5; steps++) page = await visitor.get(page.location);
  return page;
}

forEachDatabase('an account signs in, comes back and joins', options, async (fixture) => {
  const scene = await openScene(fixture);
  const { email } = await makeAccount(scene.identity, { email: 'ann@example.org', plan: 'free', verified: false });
  const { id, link, token } = await scene.invite(email);
  // The address is verified by then.
  await fixture.database
    .query<{ account: { email: string; email_verified: boolean } }>()
    .updateTable('account')
    .set({ email_verified: true })
    .where('email', '=', email)
    .execute();
  const visitor = scene.visitor();
  const page = await visitor.get(link);
  assert.equal(page.status, 200);
  assert.match(
    page.text,
    /owner@example\.org invited you to the workspace Rates &amp; &lt;Futures&gt; \(of owner@example\.org\) , as an editor/,
  );
  assert.match(page.text, /The invitation is for ann@example\.org/);
  const back = encodeURIComponent(`${PATH}?invitation=${id}`);
  assert.ok(page.body.includes(`href="/auth/sign-in?return_to=${back}"`), page.body);
  assert.ok(page.body.includes(`href="/auth/sign-up?return_to=${back}"`));
  assert.ok(!page.body.includes(token), 'no URL on the page contains the secret');
  const signUp = await visitor.get(`/auth/sign-up?return_to=${back}`);
  assert.match(signUp.body, /id="email"[^>]* value="ann@example\.org"/);

  const signedIn = await visitor.post('/auth/sign-in', {
    email,
    password: PASSWORD,
    return_to: `${PATH}?invitation=${id}`,
  });
  const offer = await follow(visitor, signedIn.location);
  assert.match(offer.text, /You are signed in as ann@example\.org .* Join/);
  assert.equal(await scene.roleOf(email), null, 'opening the page does not join');

  // Clicked twice, and once more after going back.
  for (const joined of [
    ...(await Promise.all([
      visitor.post(PATH, { decision: 'accept', invitation: id }),
      visitor.post(PATH, { decision: 'accept', invitation: id }),
    ])),
    await visitor.post(PATH, { decision: 'accept', invitation: id }),
  ]) {
    assert.equal(joined.status, 303);
    assert.ok(['/workspaces', `/workspaces/${scene.workspace.id}`].includes(String(joined.location)), joined.location);
  }
  assert.match((await visitor.get('/workspaces')).text, /You are now a member of the workspace\./);
  assert.equal(await scene.roleOf(email), 'editor');
  const stranger = scene.visitor();
  await signIn(stranger, (await makeAccount(scene.identity, { email: 'eve@example.org', plan: 'free' })).email);
  for (const again of [
    await visitor.get(link),
    await visitor.post(PATH, { decision: 'accept', token }),
    await stranger.post(PATH, { decision: 'accept', invitation: id }),
  ]) {
    assert.equal(again.status, 410);
    assert.match(again.text, /This link no longer works/);
  }
});

forEachDatabase('a person without an account signs up in another browser and joins', options, async (fixture) => {
  const scene = await openScene(fixture);
  const email = 'new@example.org';
  const { id, token } = await scene.invite(email, 'viewer');
  const visitor = scene.visitor();
  const returnTo = `${PATH}?invitation=${id}`;
  assert.equal((await visitor.post('/auth/sign-up', { email, password: PASSWORD, return_to: returnTo })).status, 303);
  assert.deepEqual(await tablesContaining(fixture.database, token), [], 'the secret is not stored with the sign-up');
  const [mail] = await sendMails(scene);
  const phone = scene.visitor();
  const confirm = linkIn(mail ?? { text: '' });
  const confirmed = await phone.post('/auth/sign-up/confirm', {
    token: new URL(confirm, 'http://site').searchParams.get('token') ?? '',
    password: PASSWORD,
  });
  const offer = await follow(phone, confirmed.location);
  assert.match(offer.text, /Join a workspace .* You are signed in as new@example\.org/);
  assert.equal((await phone.post(PATH, { decision: 'accept', invitation: id })).status, 303);
  assert.equal(await scene.roleOf(email), 'viewer');
});

forEachDatabase('a member becomes the owner on the page, or declines', options, async (fixture) => {
  const scene = await openScene(fixture);
  const { workspace, request, database } = scene;
  const { id: accountId, email } = await makeAccount(scene.identity, { email: 'ann@example.org', plan: 'free' });
  const collaborator_id = await makeMember(database, workspace.id, accountId);
  const visitor = scene.visitor();
  await signIn(visitor, email);
  const offer = async () => {
    const path = `/v1/workspaces/${workspace.id}/transfer`;
    return (await request<OfferedWorkspace>('POST', path, { collaborator_id })).data.transfer.invitation_id;
  };
  const first = await offer();
  const overview = await visitor.get('/auth/account');
  assert.match(overview.text, /Invitations .* Become the owner of Rates &amp; &lt;Futures&gt; From owner@example\.org/);
  assert.ok(overview.body.includes(`href="${PATH}?invitation=${first}"`));
  const page = await visitor.get(`${PATH}?invitation=${first}`);
  assert.match(page.text, /owner@example\.org wants to make you the owner of the workspace .* The owner pays/);
  assert.match(page.body, />Decline<\/button>/);
  const declined = await visitor.post(PATH, { invitation: first, decision: 'decline' });
  assert.deepEqual([declined.status, declined.location], [303, '/workspaces']);
  assert.match((await visitor.get('/workspaces')).text, /You declined the invitation\./);
  assert.equal(await scene.roleOf(email), 'viewer');
  // A member does not own a workspace because its invitation has ended.
  for (const decision of ['accept', 'decline']) {
    assert.equal((await visitor.post(PATH, { invitation: first, decision })).status, 410);
  }

  const second = await offer();
  for (const location of [`/workspaces/${workspace.id}`, '/workspaces']) {
    const accepted = await visitor.post(PATH, { invitation: second, decision: 'accept' });
    assert.deepEqual([accepted.status, accepted.location], [303, location]);
  }
  const after = await visitor.get('/workspaces');
  assert.match(after.text, /You are now the owner of the workspace\./);
  assert.doesNotMatch(after.text, /You have an invitation/);
  assert.equal(await scene.roleOf(email), 'owner');
});

forEachDatabase('an invitation for another address gives no membership', options, async (fixture) => {
  const scene = await openScene(fixture);
  const { link, token, id } = await scene.invite('ann@example.org');
  const thief = await makeAccount(scene.identity, { email: 'thief@example.org', plan: 'free' });
  const visitor = scene.visitor();
  await signIn(visitor, thief.email);
  for (const page of [await visitor.get(link), await visitor.post(PATH, { decision: 'accept', token })]) {
    assert.equal(page.status, 200);
    assert.match(page.text, /The invitation is for ann@example\.org , but you are signed in as thief@example\.org/);
    assert.ok(page.body.includes('/auth/sign-out?return_to='));
    assert.ok(!page.body.includes('>Join</button>'));
  }
  // An id alone reveals nothing, whether or not the invitation exists.
  const unknownId = 'col_00000000000000000000000000';
  const seen = [];
  for (const name of [id, unknownId])
    for (const page of [
      await visitor.get(`${PATH}?invitation=${name}`),
      await visitor.post(PATH, { decision: 'accept', invitation: name }),
    ])
      seen.push([page.status, page.text]);
  assert.equal(new Set(seen.map((one) => JSON.stringify(one))).size, 1);
  assert.equal(seen[0]?.[0], 410);
  const anonymous = scene.visitor();
  for (const name of [id, unknownId]) {
    const { status, location } = await anonymous.get(`${PATH}?invitation=${name}`);
    assert.deepEqual(
      [status, location],
      [303, `/auth/sign-in?return_to=${encodeURIComponent(`${PATH}?invitation=${name}`)}`],
    );
  }
  assert.equal(await scene.roleOf(thief.email), null);
  const ann = await makeAccount(scene.identity, { email: 'ann@example.org', plan: 'free' });
  const right = scene.visitor();
  await signIn(right, ann.email);
  assert.equal((await right.post(PATH, { decision: 'accept', token })).status, 303, 'the invitation still works');
});

forEachDatabase('an unverified address must be verified first', options, async (fixture) => {
  const scene = await openScene(fixture);
  const { email } = await makeAccount(scene.identity, { email: 'ann@example.org', plan: 'free', verified: false });
  const { link, token } = await scene.invite(email);
  const visitor = scene.visitor();
  await signIn(visitor, email);
  for (const page of [await visitor.get(link), await visitor.post(PATH, { decision: 'accept', token })]) {
    assert.match(page.text, /Confirm first that ann@example\.org is your address/);
  }
  assert.equal(await scene.roleOf(email), null);
});

forEachDatabase('shows a page for an invalid or expired link', options, async (fixture) => {
  const scene = await openScene(fixture);
  const { email } = await makeAccount(scene.identity, { email: 'ann@example.org', plan: 'free' });
  const visitor = scene.visitor();
  await signIn(visitor, email);
  const { id, link, token } = await scene.invite('bob@example.org');
  await scene.request('DELETE', `${scene.at}/${id}`);
  const paths = [
    PATH,
    `${PATH}?token=`,
    `${PATH}?token=alm_lnk_x`,
    `${PATH}?invitation=%00`,
    `${PATH}?invitation=x`,
    link,
  ];
  for (const path of paths)
    for (const browser of [visitor, scene.visitor()]) assert.equal((await browser.get(path)).status, 410, path);
  for (const fields of [{}, { token }, { token: 'x' }, { invitation: '\u0000' }, { invitation: id, token }])
    assert.equal((await visitor.post(PATH, { decision: 'accept', ...(fields as Record<string, string>) })).status, 410);
  // The form of an ended session leads to the sign-in and back.
  const fresh = await scene.invite('bob@example.org');
  const signedOut = await scene.visitor().post(PATH, { decision: 'accept', token: fresh.token });
  assert.equal(signedOut.location, `/auth/sign-in?return_to=${encodeURIComponent(`${PATH}?invitation=${fresh.id}`)}`);
  // The invitation ends with its workspace.
  await fixture.database
    .query<WorkspaceTables>()
    .deleteFrom('workspace')
    .where('id', '=', scene.workspace.id)
    .execute();
  assert.equal((await scene.visitor().get(fresh.link)).status, 410);
});

forEachDatabase('only a clear decision answers an invitation', options, async (fixture) => {
  const scene = await openScene(fixture);
  const { email } = await makeAccount(scene.identity, { email: 'ann@example.org' });
  const { id } = await scene.invite(email);
  const visitor = scene.visitor();
  await signIn(visitor, email);
  for (const decision of [{}, { decision: '' }, { decision: 'no' }, { decision: 'Decline' }, { decision: 'accept ' }]) {
    const { status, body } = await visitor.post(PATH, { invitation: id, ...decision });
    assert.equal(status, 400, JSON.stringify(decision));
    assert.match(body, /decision: must be accept or decline/);
    assert.equal(await scene.roleOf(email), null);
  }
  assert.equal((await visitor.post(PATH, { invitation: id, decision: 'accept' })).status, 303);
  assert.equal(await scene.roleOf(email), 'editor');
});
