import assert from 'node:assert/strict';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { loadTestConfig } from '../../../test/support/platform/test-config.ts';
import { createFoundation, MIGRATIONS } from '../../compose/index.ts';
import { createLog } from '../../platform/index.ts';
import { executeOperation } from '../run-operation.ts';

forEachDatabase(
  'names the field that is wrong in a command about OAuth clients',
  { migrations: MIGRATIONS, only: 'pglite' },
  async ({ database }) => {
    const foundation = createFoundation({ config: loadTestConfig(), log: createLog('silent'), database });
    const run = (name: string, input: object) => executeOperation(foundation, name, input);
    const refused: [string, object, RegExp][] = [
      ['client create', { name: 'App' }, /^redirect_uris: /],
      ['client create', { name: 'App', redirect_uris: [] }, /^redirect_uris: give at least one --redirect-uri/],
      ['client create', { name: 'App', redirect_uris: ['http://app.example/'] }, /^redirect_uri: .* must use https/],
      ['client create', { name: '', redirect_uris: ['https://app.example/'] }, /^name: must have 1 to 100/],
      ['client create', { name: 'App', redirect_uris: ['https://app.example/'], uri: 'x' }, /^uri: must be an https/],
      [
        'client create',
        { name: 'App', redirect_uris: ['com.example.app:/'], confidential: true },
        /Omit --confidential/,
      ],
      ['client create', { name: 'App', redirect_uris: ['https://app.example/'], secret: 'x' }, /Unrecognized key/],
    ];
    for (const [name, input, message] of refused) {
      await assert.rejects(run(name, input), { code: 'INVALID_REQUEST', message }, JSON.stringify(input));
    }
    await assert.rejects(run('client remove', { id: 'app_x' }), {
      code: 'NOT_FOUND',
      message: 'No OAuth client has the id app_x.',
    });
    assert.deepEqual(await run('client list', {}), { clients: [] });
    const { kid } = (await run('client rotate-key', {})) as { kid: string };
    assert.match(kid, /^[\w-]{43}$/);
  },
);
