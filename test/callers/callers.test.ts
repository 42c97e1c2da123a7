import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, type OperationId, operations } from '../../src/contract/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import type { Answer } from './answers.ts';
import { CALLERS, type CallerName } from './callers.ts';
import { externalIssuer } from './external-issuer.ts';
import { callersOf, ID_FORMS, type IdForm, prepareRequest } from './prepare-request.ts';
import { ROWS } from './rows.ts';
import { openWorld, type World } from './world.ts';

let service: ForecastService;
let world: World;

before(async () => {
  const environment = { ALMANAC_ISSUERS: JSON.stringify([{ issuer: externalIssuer.url }]) };
  service = await openForecastService(testedKind, { environment });
  world = await openWorld(service);
});

after(async () => {
  await externalIssuer[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

/** The callers that cannot be used again after a request has used up their session or slot. */
const USED_UP = { session: /session|guest/, slot: /guest|free/ };

for (const [position, [id, operation]] of Object.entries<Operation>(operations).entries()) {
  const row = ROWS[id as OperationId];
  const namesResource = /\{(workspace|forecast)_id\}/.test(operation.path);
  /** Every second caller uses the slug. The two halves swap with each operation. */
  const idFormOf = (index: number): IdForm =>
    row.usesBothForms || namesResource ? (ID_FORMS[(index + position) % 2] ?? 'id') : 'id';

  test(`${id} as every caller`, async () => {
    const cells = callersOf(operation).map((name, index) => ({ name, idForm: idFormOf(index) }));
    const isRefusal = ({ name }: { name: CallerName }) => typeof row.answers[name] === 'string';
    const actual: Record<string, Answer> = {};

    // Refused requests come first, so that the test can check that they changed nothing.
    const refusals: (() => Promise<void>)[] = [];
    for (const { name, idForm } of cells.filter(isRefusal)) {
      const send = await prepareRequest({ service, world, operation, row, name, idForm });
      refusals.push(async () => {
        actual[`${name} by ${idForm}`] = await send();
      });
    }
    const untouched = await readTableVersions(service.database);
    for (const refuse of refusals) await refuse();
    const afterRefusals = await readTableVersions(service.database);

    for (const { name, idForm } of cells.filter((cell) => !isRefusal(cell))) {
      const send = await prepareRequest({ service, world, operation, row, name, idForm });
      actual[`${name} by ${idForm}`] = await send();
      if (row.consumes === 'scene') await world.forgetScene(name);
      else if (row.consumes && USED_UP[row.consumes].test(name)) await world.forgetCaller(name);
    }

    const expected = cells.map(({ name, idForm }) => [`${name} by ${idForm}`, row.answers[name]]);
    assert.deepEqual(actual, Object.fromEntries(expected));
    assert.deepEqual(afterRefusals, untouched, 'a refused request changes nothing');
  });
}

test('refuses an unknown, a revoked and an expired key with the same message', async () => {
  const headers = { 'x-request-id': '0190163d-8694-739b-aea5-966c26f8ad91' };
  const refusals = await Promise.all(
    (['malformed bearer', 'unknown key', 'revoked key', 'expired key'] as const).map(async (name) => {
      const { credentials } = await CALLERS[name](service.identity);
      const response = await service.app.inject({ url: '/api/v1/me/access', headers: { ...headers, ...credentials } });
      return { body: response.body, challenge: response.headers['www-authenticate'] };
    }),
  );
  assert.equal(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1);
  assert.match(refusals[0]?.body ?? '', /malformed, unknown, expired or revoked/);
  assert.equal(
    refusals[0]?.challenge,
    `Bearer realm="almanac", error="invalid_token", resource_metadata="${SITE_URL}/.well-known/oauth-protected-resource"`,
  );
});

test('logs no credential of any caller', async () => {
  const secrets = /alm_(pat|svc|ses|gst)_[0-9A-Za-z]{5}|eyJ[0-9A-Za-z_-]{20}/;
  assert.match(service.logged(), /"path":"\/api\/v1\/me\/access"/);
  assert.doesNotMatch(service.logged(), secrets);
});
