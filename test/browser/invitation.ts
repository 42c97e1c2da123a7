import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMembership } from '../../src/workspaces/index.ts';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { waitForAlert, waitForText } from '../support/api/page-controls.ts';
import { withKey } from '../support/identity/callers.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { makeWorkspace, type TestWorkspace } from '../support/workspaces/workspaces.ts';
import { confirmSignUp, fillIn, follow, heading, newSignedInPage, press } from './steps.ts';

const options = { skip: noBrowser };

/** Invites an address to a new workspace by the API. */
export async function inviteTo(site: FullSite, email: string): Promise<TestWorkspace> {
  const owner = await site.account();
  const workspace = await makeWorkspace(site.identity.database, owner.id, 'Harbor desk');
  const response = await fetch(`${site.url}/api/v1/workspaces/${workspace.id}/collaborators`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await withKey(site.identity, owner.id)) },
    body: JSON.stringify({ email, role: 'editor' }),
  });
  assert.equal(response.status, 201, await response.text());
  return workspace;
}

/** Tests an invitation from its email to the membership. */
export function testInvitation(open: () => FullSite): void {
  test('signs up through an invitation, comes back and joins; the link works once', options, async () => {
    const site = open();
    const email = 'invited@example.org';
    const workspace = await inviteTo(site, email);
    const [mail] = await site.mail.mailsTo(email);
    const link = String(mail?.links[0]);
    const page = await newPage();
    await page.goto(link);
    await heading(page, 'Join a workspace');
    await follow(page, 'Create an account');
    await fillIn(page, email, { button: 'Create account' });
    await heading(page, 'Check your email');
    await confirmSignUp(page, (await site.mail.mailsTo(email, 2))[1]?.links[0]);
    await heading(page, 'Join a workspace');
    await waitForText(page, 'Harbor desk');
    await press(page, 'Join');
    await heading(page, 'Harbor desk');
    await waitForText(page, 'You are now a member of the workspace.');
    const { database } = site.identity;
    const { id } = await database
      .query<{ account: { id: string; email: string } }>()
      .selectFrom('account')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    assert.equal((await findMembership(database, id, workspace.slug))?.role, 'editor');
    await page.goto(link);
    await heading(page, 'This link no longer works');
  });

  test('changes the account for an invitation and joins', options, async () => {
    const site = open();
    const [right, wrong] = [await site.account({ verified: false }), await site.account()];
    await inviteTo(site, right.email);
    await site.identity.database
      .query<{ account: { id: string; email_verified: boolean } }>()
      .updateTable('account')
      .set({ email_verified: true })
      .where('id', '=', right.id)
      .execute();
    const [mail] = await site.mail.mailsTo(right.email);
    const page = await newSignedInPage(site, wrong.email);
    await page.goto(String(mail?.links[0]));
    await waitForAlert(page, `you are signed in as ${wrong.email}`);
    await follow(page, 'Sign out and use the other account');
    await press(page, 'Sign out');
    await fillIn(page, right.email);
    await heading(page, 'Join a workspace');
    await press(page, 'Join');
    await heading(page, 'Harbor desk');
  });
}
