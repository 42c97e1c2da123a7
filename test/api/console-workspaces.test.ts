import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ConsoleBrowser, hiddenField, openBrowser } from '../support/api/console-browser.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { addShownForecasts } from '../support/forecasts/shown-forecasts.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { testedKind } from '../support/platform/database.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeInvitation } from '../support/workspaces/invitations.ts';
import { type MembershipSpec, makeMember, makeWorkspace, personalWorkspace } from '../support/workspaces/workspaces.ts';

const NOTICE = '__Host-almanac_notice';
const INLINE = /<style|<[^>]+ (?:style|on\w+)=|<script(?![^>]* (?:src|type="application\/json"))/;
const HOSTILE = [
  '%00',
  '..%2F..%2Fapi',
  'a'.repeat(300),
  '%F0%9F%92%A9',
  "'%20OR%201=1--",
  'ws_00000000000000000000000000',
];
const OWNERS_PAGES = ['invite', 'settings', 'transfer', 'delete'];

let service: ForecastService;
let owner: ConsoleBrowser;

before(async () => {
  service = await openForecastService(testedKind);
  owner = await openBrowser(service, 'enterprise');
});
after(() => service?.[Symbol.asyncDispose]());

const idOf = ({ caller }: ConsoleBrowser) => String(caller.accountId);
const noticeOf = ({ cookies }: ConsoleBrowser) => cookies.get(NOTICE)?.split(' ')[0];

/** A workspace of the owner with one more member, signed in. */
async function openTeam(spec: MembershipSpec = {}, name = 'Ice & <b>snow</b>') {
  const workspace = await makeWorkspace(service.database, idOf(owner), name);
  const member = await openBrowser(service, 'free');
  const memberId = await makeMember(service.database, workspace.id, idOf(member), spec);
  const path = (...below: string[]) => ['/workspaces', workspace.slug, ...below].join('/');
  return { workspace, member, memberId, path };
}

interface Listed {
  readonly collaborators: {
    collaborator_id: string;
    email: string;
    role: string;
    kind: string;
    resource_scope: object;
  }[];
}

async function collaboratorsOf({ id }: { id: string }) {
  const { data } = await owner.caller.request<Listed>('GET', `/v1/workspaces/${id}/collaborators`);
  return data.collaborators;
}

const readWorkspaces = async () =>
  (await owner.caller.request<{ workspaces: { name: string; slug: string }[] }>('GET', '/v1/workspaces')).data
    .workspaces;

describe(`workspaces in the console [${testedKind}]`, () => {
  test('newcomers and guests get the purpose of the page and the way to an account, with the status of the API', async () => {
    const newcomer = pageVisitor(service.app);
    const guest = await openBrowser(service, 'guest');
    for (const [browser, status] of [
      [newcomer, 401],
      [guest, 403],
    ] as const) {
      const { status: shown, body, text } = await browser.get('/workspaces');
      assert.equal(shown, status);
      assert.match(text, /Work on forecasts together.*Create an account.*Sign in/);
      assert.match(body, /href="\/auth\/sign-up\?return_to=%2Fworkspaces"/);
      assert.doesNotMatch(body, /method="post"/);
      assert.equal((await browser.post('/workspaces', { name: 'Mine' })).status, status);
      assert.equal((await browser.get('/workspaces/anything')).status, status);
    }
  });

  test('creates one workspace from a form that is sent twice, and keeps a refused name in its field', async () => {
    const since = hiddenField((await owner.get('/workspaces')).body, '/workspaces', 'since');
    const [first, second] = await Promise.all([1, 2].map(() => owner.post('/workspaces', { since, name: ' Rates ' })));
    assert.equal(first?.status, 303, first?.text);
    assert.equal(second?.location, first?.location);
    assert.equal((await readWorkspaces()).filter(({ name }) => name === 'Rates').length, 1);
    assert.match((await owner.get(String(first?.location))).text, /The workspace is ready\..*Rates/);
    for (const name of ['', ' ', 'x'.repeat(81), 'turned \u202eround', 'a\u0000b']) {
      const before = (await readWorkspaces()).length;
      const refused = await owner.post('/workspaces', { name });
      assert.equal(refused.status, 400, JSON.stringify(name));
      assert.match(refused.body, /id="name"[^>]*aria-invalid="true"/);
      assert.equal((await readWorkspaces()).length, before);
    }
  });

  test('every page is escaped, private, without inline code, and denied to accounts that are not members', async () => {
    const { path, member, memberId } = await openTeam();
    const stranger = await openBrowser(service, 'pro');
    const pages = [
      path(),
      ...OWNERS_PAGES.map((page) => path(page)),
      path('members', memberId),
      path('members', memberId, 'remove'),
    ];
    for (const page of pages) {
      const { status, body, headers } = await owner.get(page);
      assert.equal(status, 200, page);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/, page);
      assert.equal(headers['cache-control'], 'no-store', page);
      assert.doesNotMatch(body, INLINE, page);
      assert.ok(body.includes('Ice &amp; &lt;b&gt;snow') && !body.includes('<b>snow'), page);
      const denied = await stranger.get(page);
      assert.deepEqual([denied.status, denied.text.includes('Ice')], [403, false], page);
      assert.match(denied.text, /This is not shared with you/);
    }
    assert.equal((await member.get(path('leave'))).status, 200);
    for (const slug of HOSTILE) {
      for (const page of [
        '',
        '/invite',
        '/members/col_1',
        '/members/col_1/remove',
        '/leave',
        '/settings',
        '/transfer',
        '/delete',
      ]) {
        const { status } = await owner.get(`/workspaces/${slug}${page}`);
        assert.ok(status >= 400 && status < 500, `${slug}${page}: ${status}`);
      }
    }
  });

  test('members see no control of the owner, and forms that they send anyway are refused in words', async () => {
    for (const role of ['viewer', 'editor'] as const) {
      const { path, member, memberId, workspace } = await openTeam({ role });
      const { body, text } = await member.get(path());
      assert.doesNotMatch(body, /\/(?:invite|settings|transfer|delete|members\/)/);
      assert.equal(body.includes('href="/new"') && text.includes('Upload a CSV file'), role === 'editor');
      const [, self] = await collaboratorsOf(workspace);
      for (const page of [...OWNERS_PAGES, `members/${memberId}`, `members/${memberId}/remove`]) {
        const shown = await member.get(path(page));
        const sent = await member.post(path(page), {
          email: 'x@example.org',
          role: 'editor',
          name: 'Mine',
          action: 'withdraw',
        });
        assert.deepEqual([shown.status, sent.status], [403, 403], `${role} ${page}`);
        assert.match(shown.text, /Only (?:the|its) owner/);
        assert.doesNotMatch(shown.body, /method="post"/);
      }
      assert.deepEqual((await collaboratorsOf(workspace))[1], self);
    }
    const { path, member } = await openTeam({
      csv_scope_mode: 'none',
      forecasts_scope_mode: 'selected',
      role: 'editor',
    });
    const { text, body } = await member.get(path());
    assert.match(text, /access to no forecasts.*access to no files/s);
    assert.doesNotMatch(body, /href="\/new"><|\/files"/);
  });

  test('equally named workspaces of other accounts are marked, in the list, in filters and in invitations', async () => {
    const personal = await personalWorkspace(service.database, idOf(owner));
    const colleague = await openBrowser(service, 'free');
    const { id: own } = await personalWorkspace(service.database, idOf(colleague));
    await makeInvitation(service.database, { workspaceId: personal.id, email: colleague.email });
    const invited = (await colleague.get('/workspaces')).text;
    assert.ok(invited.includes(`You have an invitation Personal (of ${owner.email})`), invited);
    await makeMember(service.database, personal.id, idOf(colleague));
    const { body: listed } = await colleague.get('/workspaces');
    for (const label of ['Personal', 'Personal (shared with you)'])
      assert.ok(listed.includes(`>${label}</a></h3>`), label);
    for (const path of ['/forecasts', '/questions']) {
      const { body } = await colleague.get(path);
      assert.match(body, new RegExp(`<option value="${own}">Personal</option>`), path);
      assert.match(body, new RegExp(`<option value="${personal.id}">Personal \\(shared with you\\)</option>`), path);
    }
  });

  test('invites with picked files and forecasts, once for two clicks, and states what is wrong at its field', async () => {
    const { path, workspace } = await openTeam();
    const file = await makeCsvFile(service.database, workspace.id, idOf(owner), undefined, 'sales.csv');
    const shared = { workspace: workspace.id, visibility: 'workspace', owner: idOf(owner) } as const;
    const [forecast = ''] = await addShownForecasts(service.database, [{ ...shared, title: 'Winter' }]);
    const form = await owner.get(path('invite'));
    assert.match(form.text, /sales\.csv.*Winter/s);
    const since = hiddenField(form.body, path('invite'), 'since');
    const fields = { since, role: 'editor', email: 'Ann@example.org', csv_mode: 'selected', [`csv.${file}`]: 'on' };
    const picked = { ...fields, forecasts_mode: 'selected', [`forecasts.${forecast}`]: 'on' };
    const searched = await owner.post(path('invite'), { ...picked, csv_find: 'nothing like it', search: 'csv' });
    assert.equal(searched.status, 200, 'a search keeps what was entered and sends nothing');
    assert.match(searched.body, new RegExp(`name="csv.${file}" value="on" checked`));
    assert.match(searched.body, /value="Ann@example.org"/);
    assert.equal((await collaboratorsOf(workspace)).length, 2);

    const replies = [await owner.post(path('invite'), picked), await owner.post(path('invite'), picked)];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [303, 303],
      replies[1]?.text,
    );
    for (const other of [{ csv_mode: 'none' }, { forecasts_mode: 'all' }, { role: 'viewer' }]) {
      const refused = await owner.post(path('invite'), { ...picked, ...other });
      assert.equal(refused.status, 409, `${JSON.stringify(other)} is another invitation`);
      assert.match(refused.text, /is already invited\. Remove the invitation to send another one/);
    }
    const added = (await collaboratorsOf(workspace)).slice(2);
    assert.deepEqual(
      added.map(({ email, role, resource_scope }) => [email, role, resource_scope]),
      [
        [
          'ann@example.org',
          'editor',
          { csv: { mode: 'selected', ids: [file] }, forecasts: { mode: 'selected', ids: [forecast] } },
        ],
      ],
    );
    assert.match(
      (await owner.get(path())).text,
      /The invitation is listed below .* This service has no mail server: .*ann@example\.org 1 file, 1 forecast/,
    );

    const all = { role: 'viewer', csv_mode: 'all', forecasts_mode: 'all' };
    for (const [entered, field, words] of [
      [{ ...all, email: '' }, 'email', /Enter the email address/],
      [{ ...all, email: 'an address' }, 'email', /Enter an email address such as name@example\.org/],
      [{ ...all, email: 'ann@example.org' }, 'email', /is already invited/],
      [{ ...all, email: owner.email }, 'email', /is already a member/],
      [{ ...all, email: 'b@example.org', role: 'owner' }, 'role', /Choose a role/],
      [{ ...all, email: 'b@example.org', csv_mode: 'selected' }, 'csv_mode-selected', /Pick at least one file/],
      [
        { ...all, email: 'b@example.org', forecasts_mode: 'selected', 'forecasts.ef_unknown': 'on' },
        'forecasts_mode-selected',
        /is no longer in this workspace/,
      ],
    ] as const) {
      const refused = await owner.post(path('invite'), entered);
      assert.equal(refused.status, /already/.test(words.source) ? 409 : 400, field);
      assert.match(refused.text, words);
      assert.match(refused.body, new RegExp(`id="${field}-error"`));
    }
    assert.equal((await collaboratorsOf(workspace)).length, 3);
  });

  test('changes a membership, also with a thousand picked forecasts, unless it changed while the form was open', async () => {
    const { path, workspace, memberId } = await openTeam();
    const shared = { workspace: workspace.id, visibility: 'workspace', owner: idOf(owner) } as const;
    const [forecast = ''] = await addShownForecasts(service.database, [shared]);
    const page = path('members', memberId);
    const seen = hiddenField((await owner.get(page)).body, page, 'seen');
    const scope = { csv_mode: 'none', forecasts_mode: 'selected', [`forecasts.${forecast}`]: 'on' };
    const saved = await owner.post(page, { seen, role: 'editor', ...scope });
    assert.deepEqual([saved.status, noticeOf(owner)], [303, 'member_changed'], saved.text);
    const changed = (await collaboratorsOf(workspace))[1];
    assert.equal(changed?.role, 'editor');
    assert.deepEqual(changed?.resource_scope, {
      csv: { mode: 'none', ids: [] },
      forecasts: { mode: 'selected', ids: [forecast] },
    });
    const stale = await owner.post(page, { seen, role: 'viewer', csv_mode: 'all', forecasts_mode: 'all' });
    assert.equal(stale.status, 412);
    assert.match(stale.text, /This changed while the form was open\. Nothing was done\./);
    assert.deepEqual((await collaboratorsOf(workspace))[1], changed);

    const now = hiddenField((await owner.get(page)).body, page, 'seen');
    const ids = Array.from({ length: 1_001 }, (_, i) => `forecasts.ef_${String(i).padStart(26, '0')}`);
    const large = { seen: now, role: 'viewer', csv_mode: 'all', forecasts_mode: 'selected' };
    const many = await owner.post(page, { ...large, ...Object.fromEntries(ids.map((id) => [id, 'on'])) });
    assert.equal(many.status, 400);
    assert.match(many.text, /Pick at most 1000 forecasts/);
    assert.equal((await owner.post(page, { ...large, x: 'x'.repeat(100_000) })).status, 413);
    const [self] = await collaboratorsOf(workspace);
    assert.equal((await owner.get(path('members', String(self?.collaborator_id)))).status, 409);
    assert.equal((await owner.get(path('members', 'col_unknown'))).status, 404);
  });

  test('removes a member and withdraws an invitation once; a member leaves, an owner cannot', async () => {
    const { path, workspace, memberId, member } = await openTeam();
    const invitation = await makeInvitation(service.database, { workspaceId: workspace.id, email: 'late@example.org' });
    for (const [id, heading, notice] of [
      [memberId, 'Remove this member?', 'member_removed'],
      [invitation, 'Withdraw this invitation?', 'invitation_withdrawn'],
    ] as const) {
      const page = path('members', id, 'remove');
      assert.ok((await owner.get(page)).text.includes(heading));
      const first = await owner.post(page, {});
      assert.deepEqual([first.status, noticeOf(owner)], [303, notice], first.text);
      await owner.post(page, {});
      assert.equal(noticeOf(owner), 'gone_already');
    }
    assert.equal((await member.get(path())).status, 403);
    const { path: other, member: leaver } = await openTeam();
    assert.match((await leaver.get(other('leave'))).text, /Your files, forecasts and questions stay/);
    assert.equal((await leaver.post(other('leave'), {})).location, '/workspaces');
    assert.match((await leaver.get('/workspaces')).text, /You have left the workspace/);
    assert.equal((await leaver.get(other())).status, 403);
    const refused = await owner.post(other('leave'), {});
    assert.equal(refused.status, 409);
    assert.match(refused.text, /The owner cannot leave.*Transfer it/);
  });

  test('accepts and declines invitations on the page, and states that one is gone', async () => {
    const { workspace } = await openTeam();
    const invited = await openBrowser(service, 'free');
    const spec = { workspaceId: workspace.id, email: invited.email };
    const first = await makeInvitation(service.database, spec);
    assert.match((await invited.get('/workspaces')).text, /You have an invitation.*invites you as an editor/);
    await invited.post('/workspaces/invitations', { invitation: first, decision: 'decline' });
    assert.match((await invited.get('/workspaces')).text, /You declined the invitation/);
    const second = await makeInvitation(service.database, spec);
    const stolen = await (await openBrowser(service, 'free')).post('/workspaces/invitations', {
      invitation: second,
      decision: 'accept',
    });
    assert.equal(stolen.location, '/workspaces', 'another account');
    assert.equal(
      (await invited.post('/workspaces/invitations', { invitation: second, decision: 'maybe' })).status,
      400,
    );
    const joined = await invited.post('/workspaces/invitations', { invitation: second, decision: 'accept' });
    assert.equal(joined.location, `/workspaces/${workspace.slug}`);
    assert.match((await invited.get(String(joined.location))).text, /You are now a member of the workspace/);
    await invited.post('/workspaces/invitations', { invitation: second, decision: 'accept' });
    assert.equal(noticeOf(invited), 'invitation_gone');
    const unverified = await makeAccount(service.identity, { verified: false });
    await makeInvitation(service.database, { workspaceId: workspace.id, email: unverified.email });
    const visitor = pageVisitor(service.app);
    const [, secret = ''] = String((await withSession(service.identity, unverified.email)).cookie).split('=');
    visitor.cookies.set('__Host-almanac_session', secret);
    const { text } = await visitor.get('/workspaces');
    assert.match(text, /Your email address is not confirmed yet/);
    assert.doesNotMatch(text, /You have an invitation/);
  });

  test('renames and limits spending; a wrong number and a stale form change nothing', async () => {
    const { path, workspace } = await openTeam();
    const page = path('settings');
    const read = async () =>
      (await owner.caller.request<{ name: string; member_credits: number | null }>('GET', `/v1${path()}`)).data;
    const seen = hiddenField((await owner.get(page)).body, page, 'seen');
    for (const credits of ['-1', '1.5', 'many', '2000000000', '1e3']) {
      const refused = await owner.post(page, { seen, name: 'New', member_credits: credits });
      assert.equal(refused.status, 400, credits);
      assert.match(refused.body, new RegExp(`id="member_credits"[^>]*value="${credits}"[^>]*aria-invalid="true"`));
    }
    assert.equal((await read()).member_credits, null);
    assert.equal((await owner.post(page, { seen, name: 'New', member_credits: '1,500' })).status, 303);
    assert.deepEqual([(await read()).name, (await read()).member_credits], ['New', 1500]);
    assert.equal((await owner.post(page, { seen, name: 'Old', member_credits: '' })).status, 412);
    assert.equal((await read()).name, 'New');
    const now = hiddenField((await owner.get(page)).body, page, 'seen');
    await owner.post(page, { seen: now, name: 'New', member_credits: '' });
    assert.equal((await read()).member_credits, null);
    assert.match((await owner.get(`/workspaces/${workspace.id}`)).location ?? '', new RegExp(`^${path()}$`));
  });

  test('transfers a workspace with the yes of the receiver, or withdraws the offer', async () => {
    const { path, memberId, member } = await openTeam();
    assert.match((await owner.post(path('transfer'), {})).text, /Choose the member/);
    assert.equal((await owner.post(path('transfer'), { collaborator_id: 'col_unknown' })).status, 404);
    await owner.post(path('transfer'), { collaborator_id: memberId });
    await owner.post(path('transfer'), { collaborator_id: memberId });
    assert.match((await owner.get(path())).text, /You offered this workspace to another member/);
    assert.match((await member.get(path())).text, /Become the owner of this workspace\?/);
    await owner.post(path('transfer'), { action: 'withdraw' });
    assert.equal(noticeOf(owner), 'transfer_withdrawn');
    assert.doesNotMatch((await member.get(path())).text, /Become the owner/);
    await owner.post(path('transfer'), { action: 'withdraw' });
    assert.equal(noticeOf(owner), 'gone_already');
    await owner.post(path('transfer'), { collaborator_id: memberId });
    const offer = hiddenField((await member.get(path())).body, '/workspaces/invitations', 'invitation');
    await member.post('/workspaces/invitations', { invitation: offer, decision: 'accept' });
    assert.match((await member.get(path())).text, /You are now the owner of the workspace.*You own it/);
    assert.match((await owner.get(path())).text, /You are an editor/);
    assert.equal((await owner.get(path('transfer'))).status, 403);
  });

  test('lists what a deletion takes along, and deletes only what the page listed', async () => {
    const { path, workspace } = await openTeam();
    await makeCsvFile(service.database, workspace.id, idOf(owner));
    const page = path('delete');
    const { body, text } = await owner.get(page);
    assert.match(text, /1 file\. Download.*The access of 1 other member\./);
    const seen = hiddenField(body, page, 'seen');
    await makeInvitation(service.database, { workspaceId: workspace.id, email: 'new@example.org' });
    const stale = await owner.post(page, { seen });
    assert.equal(stale.status, 412);
    assert.match(stale.text, /1 invitation without an answer/);
    assert.equal((await owner.get(path())).status, 200);
    const now = hiddenField(stale.body, page, 'seen');
    assert.equal((await owner.post(page, { seen: now })).location, '/workspaces');
    assert.match((await owner.get('/workspaces')).text, /The workspace is deleted/);
    assert.equal((await owner.get(path())).status, 403);
    const { slug } = await personalWorkspace(service.database, idOf(owner));
    for (const action of ['delete', 'transfer', 'leave']) {
      const refused = await owner.post(`/workspaces/${slug}/${action}`, {});
      assert.equal(refused.status, 409, action);
      assert.match(refused.text, /personal workspace/);
    }
    assert.doesNotMatch((await owner.get(`/workspaces/${slug}`)).body, /\/(?:delete|transfer|leave)"/);
  });
});
