import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { DAILY_CSV } from '../support/workspaces/csv-files.ts';
import { type KeyHolder, makeWorkspace, register, WORKSPACES } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
let owner: KeyHolder;
let workspace: { readonly id: string };

before(async () => {
  service = await openForecastService(testedKind);
  owner = await register(service, { plan: 'enterprise' });
  workspace = await makeWorkspace(service.database, owner.id);
});

after(() => service?.[Symbol.asyncDispose]());

interface Reply {
  readonly status: number;
  readonly message: string | undefined;
}

async function send(method: 'POST' | 'PATCH', path: string, payload: object | string): Promise<Reply> {
  const headers = { ...owner.credentials, ...(typeof payload === 'string' && { 'content-type': 'text/csv' }) };
  const response = await service.app.inject({ method, url: `/api${path}`, headers, payload });
  return { status: response.statusCode, message: response.json().error?.message };
}

/** Every operation that sets a name which other accounts see. */
const NAMING: Record<string, { field: string; success: number; set: (name: string) => Promise<Reply> }> = {
  'a new workspace': { field: 'name', success: 201, set: (name) => send('POST', WORKSPACES, { name }) },
  'a workspace': {
    field: 'name',
    success: 200,
    set: (name) => send('PATCH', `${WORKSPACES}/${workspace.id}`, { name }),
  },
  'a key': { field: 'name', success: 201, set: (name) => send('POST', '/v1/me/api-keys', { name }) },
  'a forecast': {
    field: 'title',
    success: 202,
    set: (title) => send('POST', FORECASTS, inlineRequest({ title })),
  },
  'a file': {
    field: 'name',
    success: 201,
    set: (name) => send('POST', `${WORKSPACES}/${workspace.id}/csv?name=${encodeURIComponent(name)}`, DAILY_CSV),
  },
};

const REFUSED: readonly (readonly [string, string])[] = [
  ['a\u0000b', 'must be one line without control characters.'],
  ['two\nlines', 'must be one line without control characters.'],
  ['two\r\nlines', 'must be one line without control characters.'],
  ['a\tb', 'must be one line without control characters.'],
  ['a\u2028b', 'must be one line without control characters.'],
  ['fdp\u202e.exe', 'must not contain characters that change the text direction (U+202A to U+202E, U+2066 to U+2069).'],
  ['\u200b', 'must contain a visible character.'],
];

for (const [what, { field, success, set }] of Object.entries(NAMING)) {
  test(`accepts only a visible, single-line name for ${what}`, async () => {
    for (const [name, problem] of REFUSED) {
      assert.deepEqual(await set(name), { status: 400, message: `${field}: ${problem}` }, JSON.stringify(name));
    }
    for (const name of ['', ' ', '\n']) assert.equal((await set(name)).status, 400, JSON.stringify(name));
    assert.equal((await set(' Größe 売上 👍 ')).status, success);
  });
}
