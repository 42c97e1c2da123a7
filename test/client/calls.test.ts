import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Almanac,
  AlmanacFile,
  ConflictError,
  DeniedError,
  InvalidRequestError,
  NotFoundError,
  UnauthenticatedError,
  UnexpectedReplyError,
} from '../../client/src/index.ts';
import { type Answer, data, failure, scriptFetch } from './scripted-fetch.ts';

function open(...answers: Answer[]) {
  const { fetch, sent } = scriptFetch(...answers);
  return { almanac: new Almanac({ url: 'https://almanac.example/sub/', key: 'k', fetch, maxRetries: 0 }), sent };
}

describe('calls of the client', () => {
  test('the fields of the input become the path, the query and the body', async () => {
    const { almanac, sent } = open(data({}));
    await almanac.workspaces.listForecasts({ workspace_id: 'a/b?c', limit: 5, q: 'ü & x', mine: undefined });
    await almanac.workspaces.updateCollaborator({ workspace_id: 'w', collaborator_id: 'c', role: 'viewer' });
    await almanac.workspaces.uploadCsvFile({ workspace_id: 'w', name: 'sales.csv', content: 'date,value\n' });
    const [list, update, upload] = sent;
    assert.equal(
      list?.url.href,
      'https://almanac.example/sub/api/v1/workspaces/a%2Fb%3Fc/forecasts?q=%C3%BC+%26+x&limit=5',
    );
    assert.deepEqual([list?.method, list?.body], ['GET', null]);
    assert.deepEqual([update?.method, update?.body], ['PATCH', '{"role":"viewer"}']);
    assert.equal(update?.headers.get('content-type'), 'application/json');
    assert.deepEqual([upload?.url.search, upload?.body], ['?name=sales.csv', 'date,value\n']);
    assert.equal(upload?.headers.get('content-type'), 'text/csv');
  });

  test('refuses input that would change the path or is not known, and sends nothing', async () => {
    const { almanac, sent } = open(data({}));
    for (const id of ['', '.', '..', undefined as never, 5 as never]) {
      await assert.rejects(almanac.forecasts.read({ forecast_id: id }), /^TypeError: readForecast: forecast_id/);
    }
    await assert.rejects(almanac.forecasts.read({ forecast_id: 'a', x: 1 } as never), /readForecast: has no field x/);
    await assert.rejects(almanac.forecasts.list({ q: {} as never }), /listForecasts: q must be a text/);
    await assert.rejects(
      almanac.workspaces.uploadCsvFile({ workspace_id: 'w', name: 'n' } as never),
      /content is missing/,
    );
    assert.equal(sent.length, 0);
  });

  test('refuses settings that cannot work', () => {
    const urls = ['almanac.example', 'ftp://almanac.example', 'https://a:b@almanac.example', 'https://a.example/?x'];
    for (const url of urls) assert.throws(() => new Almanac({ url }), /^TypeError: url: /, url);
    for (const count of [-1, 0.5, Number.NaN, 1e9]) {
      assert.throws(() => new Almanac({ url: 'https://a.example', maxRetries: count }), /^TypeError: maxRetries: /);
    }
  });

  test('errors have the class of their status, the code, the message and the request id', async () => {
    const classes = [
      [400, InvalidRequestError],
      [401, UnauthenticatedError],
      [403, DeniedError],
      [404, NotFoundError],
      [409, ConflictError],
      [412, ConflictError],
      [422, InvalidRequestError],
    ] as const;
    for (const [status, Kind] of classes) {
      const { almanac } = open(failure(status, 'THE_CODE'));
      await assert.rejects(almanac.account.readAccess(), (error) => {
        assert.ok(error instanceof Kind && error.name === Kind.name);
        const { operation, code, requestId, message } = error;
        assert.deepEqual([operation, code, requestId], ['readAccess', 'THE_CODE', 'the-id']);
        return message === 'The message of THE_CODE.';
      });
    }
    const search = { ok: false, error: 'INVALID_REQUEST', message: 'query: is too long.' };
    const { almanac } = open(() => Response.json(search, { status: 400, headers: { 'x-request-id': 'from-header' } }));
    const expected = { code: 'INVALID_REQUEST', message: 'query: is too long.', requestId: 'from-header' };
    await assert.rejects(almanac.series.search({ query: '' }), expected);
  });

  test('replies that are not of Almanac are not taken for data', async () => {
    const page = (status: number) => () => new Response('<html>', { status, headers: { 'content-type': 'text/html' } });
    const moved = () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } });
    for (const answer of [page(200), moved, () => Response.json([]), () => Response.json({ value: 1 })]) {
      await assert.rejects(open(answer).almanac.account.readAccess(), UnexpectedReplyError);
    }
    await assert.rejects(open(page(403)).almanac.account.readAccess(), { name: 'DeniedError', code: null });
  });

  test('withResponse gives the response, and ifMatch names a version', async () => {
    const { almanac, sent } = open(data({ forecast_id: 'ef_1' }, { etag: '"one"' }));
    const { data: forecast, response } = await almanac.forecasts.read({ forecast_id: 'ef_1' }).withResponse();
    assert.deepEqual([forecast.forecast_id, response.headers.get('etag')], ['ef_1', '"one"']);
    await almanac.forecasts.delete({ forecast_id: 'ef_1' }, { ifMatch: '"one"' });
    assert.equal(sent[1]?.headers.get('if-match'), '"one"');
  });

  test('a list can be read page by page or item by item', async () => {
    const first = data({ forecasts: [{ forecast_id: 'a' }, { forecast_id: 'b' }], next_cursor: 'next' });
    const { almanac, sent } = open(first, data({ forecasts: [{ forecast_id: 'c' }], next_cursor: null }));
    const ids: string[] = [];
    for await (const { forecast_id: id } of almanac.forecasts.list({ limit: 2 })) ids.push(id);
    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.deepEqual(
      sent.map(({ url }) => url.search),
      ['?limit=2', '?limit=2&cursor=next'],
    );

    const again = open(first);
    assert.equal((await again.almanac.forecasts.list()).next_cursor, 'next');
    for await (const _ of again.almanac.forecasts.list()) break;
    assert.equal(again.sent.length, 2, 'the second page is not requested before the first one was used');
    let items = 0;
    // The answer repeats one page for ever.
    for await (const _ of open(first).almanac.forecasts.list()) items++;
    assert.equal(items, 4);
  });

  test('a file has the name and the type that the service gives it', async () => {
    const headers = {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="bersicht.csv"; filename*=UTF-8''%C3%9Cbersicht.csv`,
    };
    const { almanac } = open(() => new Response('timestamp,0.5\n', { headers }));
    const file = await almanac.forecasts.export({ forecast_id: 'ef_1', format: 'csv' });
    assert.ok(file instanceof AlmanacFile);
    assert.deepEqual([file.name, file.mediaType, await file.text()], ['Übersicht.csv', 'text/csv', 'timestamp,0.5\n']);
  });
});
