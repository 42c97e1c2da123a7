import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { create } from '../support/forecasts/forecast-service.ts';
import { addShownForecasts } from '../support/forecasts/shown-forecasts.ts';
import { EVENTS, eventRequest } from '../support/scout/events.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeInvitation } from '../support/workspaces/invitations.ts';
import { makeMember, makeWorkspace, register, shareService, WORKSPACES } from '../support/workspaces/workspaces.ts';

const forEachService = shareService();

interface Collaborators {
  readonly collaborators: readonly { readonly email: string; readonly credits_used: number | null }[];
}

forEachService('counts what is in a workspace, and only for its owner', async (service, owner) => {
  const { database } = service;
  const { id, slug } = await makeWorkspace(database, owner.id);
  const editor = await register(service);
  await makeMember(database, id, editor.id, { role: 'editor' });
  const empty = { files: 0, forecasts: 0, unfinished_forecasts: 0, public_forecasts: 0, events: 0, pending_events: 0 };
  const read = async () => (await owner.request<Record<string, number>>('GET', `${WORKSPACES}/${slug}/contents`)).data;
  const before = await read();
  assert.deepEqual(before, {
    workspace_id: id,
    ...empty,
    members: 1,
    invitations: 0,
    stored_bytes: 0,
    limit_bytes: before.limit_bytes,
  });
  assert.ok(Number(before.limit_bytes) > 0);

  await makeCsvFile(database, id, owner.id);
  const other = await makeWorkspace(database, owner.id);
  await makeCsvFile(database, other.id, owner.id);
  await addShownForecasts(database, [
    { owner: owner.id, workspace: id, visibility: 'public', finishedAt: '2026-01-02T00:00:00Z' },
    { owner: editor.id, workspace: id, visibility: 'private', status: 'queued' },
    { owner: owner.id, workspace: other.id, visibility: 'workspace' },
  ]);
  await makeInvitation(database, { workspaceId: id, email: 'open@example.org' });
  await makeInvitation(database, { workspaceId: id, email: 'old@example.org', now: new Date('2020-01-01') });
  const asked = await owner.request('POST', EVENTS, eventRequest({ workspace_id: id }));
  assert.equal(asked.status, 201, asked.body);
  const { stored_bytes, ...counts } = await read();
  assert.deepEqual(counts, {
    workspace_id: id,
    files: 1,
    forecasts: 2,
    unfinished_forecasts: 1,
    public_forecasts: 1,
    events: 1,
    pending_events: 1,
    members: 1,
    invitations: 1,
    limit_bytes: before.limit_bytes,
  });
  assert.ok(Number(stored_bytes) > 0);

  const { data } = await editor.request<{ members: number; stored_bytes: null }>('GET', `${WORKSPACES}/${id}`);
  assert.deepEqual([data.members, data.stored_bytes], [2, null]);
  assert.equal((await editor.request('GET', `${WORKSPACES}/${id}/contents`)).code, 'WORKSPACE_DENIED');
  for (const name of ['%00', 'x'.repeat(200), '..%2F..', "'%3B--"]) {
    const { status } = await owner.request('GET', `${WORKSPACES}/${name}/contents`);
    assert.ok(status >= 400 && status < 500, `${name}: ${status}`);
  }
});

forEachService('shows the credits of members to the owner, and to a member only its own', async (service, owner) => {
  const { database } = service;
  const { id } = await makeWorkspace(database, owner.id);
  const [first, second] = [await register(service), await register(service)];
  for (const member of [first, second]) await makeMember(database, id, member.id, { role: 'editor' });
  const used = async ({ request }: Pick<typeof owner, 'request'>) =>
    (await request<Collaborators>('GET', `${WORKSPACES}/${id}/collaborators`)).data.collaborators.map(
      ({ credits_used }) => credits_used,
    );
  assert.deepEqual(await used(owner), [null, 0, 0]);
  const caller = { ...first, accountId: first.id };
  const { data, status, body } = await create(caller, { workspace_id: id });
  assert.equal(status, 202, body);
  const { rows } = await sql<{ credits: number }>`SELECT credits FROM forecast WHERE slug = ${data.slug}`.execute(
    database.query(),
  );
  const credits = rows[0]?.credits ?? 0;
  assert.ok(credits > 0);
  assert.deepEqual(await used(owner), [null, credits, 0]);
  assert.deepEqual(await used(first), [null, credits, null]);
  assert.deepEqual(await used(second), [null, null, 0]);
  assert.equal((await first.request('POST', `/v1/ensemble-forecasts/${data.slug}/cancel`)).status, 200);
  assert.deepEqual(await used(owner), [null, 0, 0], 'released credits do not count');
});
