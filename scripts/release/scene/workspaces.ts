import { createSeededRandom } from '../../../test/support/platform/seeded-random.ts';
import type { Scene } from './scene.ts';

interface WithId {
  readonly id: string;
}

/** Creates a workspace with files, members of each role, a resource scope, an invitation and a transfer. */
export async function createWorkspace(scene: Scene): Promise<void> {
  const { id } = await scene.send<WithId>('ada', 'POST', '/v1/workspaces', { name: 'Demand planning' });
  scene.setId('workspace', id);
  await scene.send('ada', 'PATCH', `/v1/workspaces/${id}`, { member_credits: 500 });

  scene.setId('file', await upload(scene, 'visits.csv', dailyVisits(120)));
  scene.setId(
    'other file',
    await upload(scene, 'sales;2.csv', '﻿Datum;Umsatz\n01.02.2024;1.200,5\n01.03.2024;1.310,0\n'),
  );
  const removed = await upload(scene, 'removed.csv', dailyVisits(12));
  await scene.send('ada', 'DELETE', `/v1/workspaces/${id}/csv/${removed}`);

  const scope = { csv: { mode: 'selected', ids: [scene.id('file')] }, forecasts: { mode: 'none' } };
  scene.setId('editor', await addMember(scene, 'grace', { role: 'editor' }));
  await addMember(scene, 'hugo', { role: 'viewer', resource_scope: scope });
  await invite(scene, { email: 'later@example.org', role: 'viewer' });
  await scene.send('ada', 'POST', `/v1/workspaces/${id}/transfer`, { collaborator_id: scene.id('editor') });
}

/** Adds a file with rows of more than 1 MiB when they are compressed, which are stored in parts. */
export async function addLargeFile(scene: Scene): Promise<void> {
  scene.setId('large file', await upload(scene, 'large.csv', largeFile()));
}

/** Creates a workspace that its owner deletes, with what it contains. */
export async function deleteWorkspace(scene: Scene): Promise<void> {
  const { id } = await scene.send<WithId>('grace', 'POST', '/v1/workspaces', { name: 'Short-lived' });
  await upload(scene, 'visits.csv', dailyVisits(12), { caller: 'grace', workspace: id });
  await scene.send('grace', 'DELETE', `/v1/workspaces/${id}`);
}

async function invite(scene: Scene, body: object): Promise<void> {
  await scene.send('ada', 'POST', `/v1/workspaces/${scene.id('workspace')}/collaborators`, body);
}

/** Invites an account, which accepts. Returns the id of the member. */
async function addMember(scene: Scene, name: string, choice: object): Promise<string> {
  const email = `${name}@example.org`;
  await invite(scene, { email, ...choice });
  type Invitations = { readonly invitations: readonly { readonly invitation_id: string }[] };
  const { invitations } = await scene.send<Invitations>(name, 'GET', '/v1/me/invitations');
  await scene.send(name, 'POST', `/v1/me/invitations/${invitations[0]?.invitation_id}/accept`);
  type Members = { readonly collaborators: readonly { readonly collaborator_id: string; readonly email: string }[] };
  const members = await scene.send<Members>('ada', 'GET', `/v1/workspaces/${scene.id('workspace')}/collaborators`);
  return members.collaborators.find((member) => member.email === email)?.collaborator_id ?? '';
}

async function upload(
  scene: Scene,
  name: string,
  text: string,
  { caller = 'ada', workspace = scene.id('workspace') } = {},
): Promise<string> {
  const path = `/v1/workspaces/${workspace}/csv?name=${encodeURIComponent(name)}`;
  const init = { body: text, headers: { 'content-type': 'text/csv' } };
  const response = await scene.request(caller, 'POST', path, init);
  return ((await response.json()) as { readonly data: WithId }).data.id;
}

function dailyVisits(count: number): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const date = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    return `${date},${100 + (i % 7) * 11 + Math.round(9 * Math.sin(i * 1.7))}`;
  });
  return `date,visits\n${rows.join('\n')}\n`;
}

/** The letters of the notes. With more of them, the rows would compress less, and the fixture would be larger. */
const LETTERS = 72;
const NOTE_LETTERS = 2_000;
const NOTES = 550;

/** Returns a file whose first chunk of rows has little more than 1 MiB when it is compressed. */
function largeFile(): string {
  const random = createSeededRandom(1);
  const letter = () => String.fromCodePoint(0x4e00 + Math.floor(LETTERS * random()));
  const rows = Array.from({ length: NOTES }, (_, i) => {
    const date = new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
    return `${date},${i % 100},${Array.from({ length: NOTE_LETTERS }, letter).join('')}`;
  });
  return `date,value,note\n${rows.join('\n')}\n`;
}
