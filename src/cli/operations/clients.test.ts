import assert from 'node:assert/strict';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { checkpointsOf, type Foundation, identityOf, MIGRATIONS } from '../../compose/index.ts';
import { createLog, loadConfig } from '../../platform/index.ts';
import { runAdminOperation } from './index.ts';

forEachDatabase(
  'commands about OAuth clients say what is wrong',
  { migrations: MIGRATIONS, only: 'pglite' },
  async ({ database }) => {
    const [config, log] = [loadConfig({}), createLog('silent')];
    const checkpoints = checkpointsOf(config, log);
    const foundation: Foundation = { config, log, database, identity: identityOf(database), checkpoints };
    const run = (name: string, input: object) => runAdminOperation(foundation, name, input);
    const refused: [string, object, RegExp][] = [
      ['client create', { name: 'App' }, /^redirect_uris: /],
      ['client create', { name: 'App', redirect_uris: [] }, /^redirect_uris: give at least one --redirect-uri/],
      ['client create', { name: 'App', redirect_uris: ['http://app.example/'] }, /^redirect_uri: .* must be https/],
      ['client create', { name: '', redirect_uris: ['https://app.example/'] }, /^name: must have 1 to 100/],
      ['client create', { name: 'App', redirect_uris: ['https://app.example/'], uri: 'x' }, /^uri: must be an https/],
      [
        'client create',
        { name: 'App', redirect_uris: ['com.example.app:/'], confidential: true },
        /Leave --confidential out/,
      ],
      ['client create', { name: 'App', redirect_uris: ['https://app.example/'], secret: 'x' }, /Unrecognized key/],
    ];
    for (const [name, input, message] of refused) {
      await assert.rejects(run(name, input), { code: 'INVALID_REQUEST', message }, JSON.stringify(input));
    }
    await assert.rejects(run('client remove', { id: 'app_x' }), { code: 'NOT_FOUND', message: 'No client app_x.' });
    assert.deepEqual(await run('client list', {}), { clients: [] });
    const { kid } = (await run('client rotate-key', {})) as { kid: string };
    assert.match(kid, /^[\w-]{43}$/);
  },
);
