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

interface Answer {
  readonly status: number;
  readonly message: string | undefined;
}

async function send(method: 'POST' | 'PATCH', path: string, payload: object | string): Promise<Answer> {
  const headers = { ...owner.credentials, ...(typeof payload === 'string' && { 'content-type': 'text/csv' }) };
  const response = await service.app.inject({ method, url: `/api${path}`, headers, payload });
  return { status: response.statusCode, message: response.json().error?.message };
}

/** Every place where a caller gives something a name that others are shown. */
const NAMED: Record<string, { field: string; success: number; give: (name: string) => Promise<Answer> }> = {
  'a new workspace': { field: 'name', success: 201, give: (name) => send('POST', WORKSPACES, { name }) },
  'a workspace': {
    field: 'name',
    success: 200,
    give: (name) => send('PATCH', `${WORKSPACES}/${workspace.id}`, { name }),
  },
  'a key': { field: 'name', success: 201, give: (name) => send('POST', '/v1/me/api-keys', { name }) },
  'a forecast': {
    field: 'title',
    success: 202,
    give: (title) => send('POST', FORECASTS, inlineRequest({ title })),
  },
  'a file': {
    field: 'name',
    success: 201,
    give: (name) => send('POST', `${WORKSPACES}/${workspace.id}/csv?name=${encodeURIComponent(name)}`, DAILY_CSV),
  },
};

const REFUSED: readonly (readonly [string, string])[] = [
  ['a\u0000b', 'must be one line without control characters.'],
  ['two\nlines', 'must be one line without control characters.'],
  ['two\r\nlines', 'must be one line without control characters.'],
  ['a\tb', 'must be one line without control characters.'],
  ['a\u2028b', 'must be one line without control characters.'],
  [
    'fdp\u202e.exe',
    'must not contain characters that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069).',
  ],
  ['\u200b', 'must have a character that can be seen.'],
];

for (const [what, { field, success, give }] of Object.entries(NAMED)) {
  test(`the name of ${what} can be seen on one line`, async () => {
    for (const [name, problem] of REFUSED) {
      assert.deepEqual(await give(name), { status: 400, message: `${field}: ${problem}` }, JSON.stringify(name));
    }
    for (const name of ['', ' ', '\n']) assert.equal((await give(name)).status, 400, JSON.stringify(name));
    assert.equal((await give(' Größe 売上 👍 ')).status, success);
  });
}
