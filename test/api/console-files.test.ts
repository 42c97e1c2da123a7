import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { type PageReply, type PageVisitor, pageVisitor } from '../support/identity/page-visitor.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { makeMember, makeWorkspace, personalWorkspace } from '../support/workspaces/workspaces.ts';

let fixture: TestDatabase;
let api: TestApi;
let owner: PageVisitor;
let viewer: PageVisitor;
let path: string;
let workspaceId: string;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
  const [first, second] = [await makeAccount(api.identity), await makeAccount(api.identity)];
  const workspace = await makeWorkspace(fixture.database, first.id);
  await makeMember(fixture.database, workspace.id, second.id);
  workspaceId = workspace.id;
  path = `/workspaces/${workspace.slug}/files`;
  owner = await signIn(first.email);
  viewer = await signIn(second.email);
});
after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function signIn(email: string): Promise<PageVisitor> {
  const visitor = pageVisitor(api.app);
  const { cookie = '' } = await withSession(api.identity, email);
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  return visitor;
}

const BOUNDARY = '----form';
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const part = (head: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) => part(`name="${name}"`, value);
const file = (content: string, name = 'sales.csv') =>
  part(`name="file"; filename="${name}"\r\nContent-Type: text/csv`, content);
const END = `--${BOUNDARY}--\r\n`;

function upload(
  visitor: PageVisitor,
  body: string,
  headers: Readonly<Record<string, string>> = TYPE,
): Promise<PageReply> {
  return visitor.post(path, body, { headers });
}

function unescapeText(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

async function countFiles(): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM csv_file`.execute(
    fixture.database.query(),
  );
  return rows[0]?.count ?? -1;
}

/** Days first with slashes and no day above 12, which only a choice can decide. */
const UNCLEAR = 'day,n\n01/02/2024,1\n01/03/2024,2\n01/04/2024,3\n01/05/2024,4\n';
const SALES =
  'Datum;Umsatz;Menge\n01.01.2024;1.234,5;1\n01.02.2024;2.000,25;2\n01.03.2024;99;4\n01.04.2024;5;3\nSumme;9;9\n';

test('an uploaded file shows how it is read, its series and the way to a forecast', async () => {
  const sent = await upload(owner, `${field('delimiter', '')}${file(SALES, 'C:\\data\\sales.csv')}${END}`);
  assert.equal(sent.status, 303);
  const shown = await owner.get(String(sent.location));
  assert.match(shown.text, /The file is stored\. .*sales\.csv 4 rows, 3 columns/s);
  assert.match(shown.text, /Line 6, below the table, without a time: Summe;9;9/);
  for (const words of ['Semicolon ;', 'Times, day first', 'Numbers, with a decimal comma', 'Monthly', 'Apr 2024'])
    assert.ok(shown.text.includes(words), words);
  const forecast = /href="(\/new\?source=workspace_csv[^"]*)"/.exec(shown.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const form = await owner.get(forecast);
  assert.equal(form.status, 200);
  assert.match(form.text, /sales: Umsatz/);
  assert.match(form.body, /<select id="value_field".*<option value="Menge">/s);
  assert.match(form.body, /<option value="ws_[^"]*" selected>Research/);
  const elsewhere = await owner.get(`${forecast}&workspace_id=`);
  assert.match(elsewhere.body, /<option value="" selected>None: it is mine/);
  const quantity = await owner.get(`${sent.location}?time_field=Datum&value_field=Menge`);
  assert.match(quantity.body, /value_field=Menge[^"]*">Forecast this/);
  const series = await owner.get(forecast.replace('/new', '/series'));
  assert.match(
    String(series.location),
    /^\/workspaces\/ws_[^/]*\/files\/csv_[^?]*\?time_field=Datum&value_field=Umsatz$/,
  );
});

/** Returns the address of a link with this text. */
function linkOf({ body }: PageReply, label: string): URL {
  const href = new RegExp(`href="(/new\\?[^"]*)"[^>]*>${label}`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  return new URL(href, 'http://localhost');
}

test('the way from a long file to a forecast names the columns, and none of the rows', async () => {
  const rows = Array.from({ length: 1_200 }, (_, day) => {
    const time = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    return `${time},${day % 7}`;
  });
  const { location } = await upload(owner, `${file(`day,n\n${rows.join('\n')}\n`, 'long.csv')}${END}`);
  const link = linkOf(await owner.get(String(location)), 'Forecast this');
  assert.deepEqual(Object.fromEntries(link.searchParams), {
    source: 'workspace_csv',
    file_workspace: workspaceId,
    csv_id: String(location).split('/').at(-1),
    time_field: 'day',
    value_field: 'n',
  });
  assert.equal((await owner.get(`${link.pathname}${link.search}`)).status, 200);
});

test('an editor without forecasts in the resource scope is not led to a forecast of the workspace', async () => {
  const account = await makeAccount(api.identity);
  await makeMember(fixture.database, workspaceId, account.id, { role: 'editor', forecasts_scope_mode: 'none' });
  const editor = await signIn(account.email);
  const { location } = await upload(editor, `${file(SALES)}${END}`);
  const pages = [await editor.get(path), await editor.get(String(location))];
  for (const [page, label] of [
    [pages[0], 'Forecast'],
    [pages[1], 'Forecast this'],
  ] as const) {
    const link = linkOf(page as PageReply, label);
    assert.equal(link.searchParams.get('source'), 'workspace_csv');
    assert.equal(link.searchParams.get('workspace_id'), null);
    for (const more of ['', `&workspace_id=${workspaceId}`, `&workspace_id=${path.split('/')[2]}`]) {
      const form = await editor.get(`${link.pathname}${link.search}${more}`);
      assert.equal(form.status, 200);
      assert.doesNotMatch(form.body, new RegExp(`<option value="${workspaceId}"`));
      assert.doesNotMatch(form.text, /resource scope/);
    }
  }
});

test('a choice about the format decides what a file leaves open', async () => {
  const unclear = await upload(owner, `${file(UNCLEAR, 'unclear.csv')}${END}`);
  const page = await owner.get(String(unclear.location));
  assert.match(page.text, /No column was read as times.*can be read day first or month first/s);
  assert.doesNotMatch(page.body, />Forecast this</);
  const id = String(unclear.location).split('/').at(-1) ?? '';
  const form = `${field('replaces', id)}${field('dates', 'day_first')}${file(UNCLEAR, 'unclear.csv')}${END}`;
  const before = await countFiles();
  const again = await upload(owner, form);
  assert.equal(again.status, 303);
  assert.match((await owner.get(String(again.location))).text, /taken the place.*Monthly/s);
  assert.equal(await countFiles(), before);
  assert.equal((await owner.get(String(unclear.location))).status, 404);
});

test('a file that takes the place of another is picked for the same members', async () => {
  const { location } = await upload(owner, `${file(SALES, 'picked.csv')}${END}`);
  const id = String(location).split('/').at(-1) ?? '';
  const scope = { csv_scope_mode: 'selected' as const, csv_scope_ids: [id] };
  const [reader, writer] = [await makeAccount(api.identity), await makeAccount(api.identity)];
  await makeMember(fixture.database, workspaceId, reader.id, scope);
  await makeMember(fixture.database, workspaceId, writer.id, { ...scope, role: 'editor' });
  const editor = await signIn(writer.email);
  const replacing = `${field('replaces', id)}${field('delimiter', 'semicolon')}${file(SALES, 'picked.csv')}${END}`;
  assert.equal((await upload(viewer, replacing)).status, 403);
  const again = await upload(editor, replacing);
  assert.match(String(again.location), /files\/csv_/);
  for (const member of [await signIn(reader.email), editor]) {
    assert.equal((await member.get(String(again.location))).status, 200);
    assert.equal((await member.get(path)).body.match(/>picked\.csv</g)?.length, 1);
  }
  const count = await countFiles();
  const gone = await upload(editor, replacing);
  assert.equal(gone.status, 404);
  assert.match(gone.text, /no longer here: it was deleted or replaced/);
  assert.doesNotMatch(gone.body, /name="replaces"/);
  const other = String((await upload(owner, `${file(SALES)}${END}`)).location);
  const hidden = replacing.replace(id, other.split('/').at(-1) ?? '');
  assert.equal((await upload(editor, hidden)).status, 404);
  assert.equal((await owner.get(other)).status, 200);
  assert.equal(await countFiles(), count + 1);
});

test('a form that is sent twice stores one file, unless something in it changed', async () => {
  const since = /name="since" value="([^"]*)"/.exec((await owner.get(path)).body)?.[1] ?? '';
  const send = async (content: string, name: string, more = '') =>
    String((await upload(owner, `${field('since', since)}${more}${file(content, name)}${END}`)).location);
  const count = await countFiles();
  const first = await send(SALES, 'twice.csv');
  assert.equal(await send(SALES, 'twice.csv'), first);
  assert.equal(await countFiles(), count + 1);
  const replacing = field('replaces', first.split('/').at(-1) ?? '');
  const header = field('header', 'absent');
  const others = [
    await send(SALES, 'other.csv'),
    await send(`${SALES}01.05.2024;6;6\n`, 'twice.csv'),
    await send(UNCLEAR, 'twice.csv'),
    await send(UNCLEAR, 'twice.csv', field('dates', 'day_first')),
    await send(SALES, 'twice.csv', `${replacing}${header}`),
  ];
  assert.equal(new Set([first, ...others]).size, 6);
  assert.equal(await send(SALES, 'twice.csv', `${replacing}${header}`), others[4]);
  assert.equal(await countFiles(), count + 5);
  const bad = await upload(owner, `${field('since', 'yesterday')}${file(SALES)}${END}`);
  assert.equal(bad.status, 400);
});

test('a refused file names the line and shows it, and leaves nothing behind', async () => {
  const count = await countFiles();
  const cases: [string, number, RegExp][] = [
    [
      `${field('delimiter', 'comma')}${file('a,b\n1,2\n3,<i>4</i>,5\n6,7\n')}${END}`,
      400,
      /Line 3: there are 3 cells.*3,<i>4<\/i>,5/s,
    ],
    [`${file('a,b\n1,2\n3,"4\n')}${END}`, 400, /Line 3: the quote.*never closed\..*3,"4/s],
    [`${file('')}${END}`, 400, /Line 1: the file is empty/],
    [`${file('x', '')}${END}`, 400, /Choose a file first/],
    [END, 400, /Choose a file first/],
    [`${field('dates', 'sideways')}${file(SALES)}${END}`, 400, /choose one from the list/],
    [`${file(SALES, 'a\u202eb.csv')}${END}`, 400, /name of the file/],
  ];
  for (const [body, status, text] of cases) {
    const reply = await upload(owner, body);
    assert.equal(reply.status, status, body.slice(0, 200));
    assert.match(unescapeText(reply.text), text);
    assert.doesNotMatch(reply.body, /<i>4/);
  }
  assert.equal(await countFiles(), count);
});

test('a form that is not one of a page is refused', async () => {
  const count = await countFiles();
  const whole = `${file(SALES)}${END}`;
  const cases: [string, Record<string, string>, number][] = [
    [whole, { 'content-type': 'text/csv' }, 415],
    [whole, { 'content-type': 'multipart/form-data' }, 415],
    [whole, { 'content-type': `multipart/form-data; boundary=${'x'.repeat(71)}` }, 415],
    [whole, { ...TYPE, 'content-encoding': 'gzip' }, 415],
    [whole, { ...TYPE, 'content-length': String(60 * 1024 ** 2) }, 413],
    [whole, { ...TYPE, origin: 'https://evil.example' }, 403],
    [whole, { 'content-type': 'multipart/form-data; boundary=other' }, 400],
    ['', TYPE, 400],
    [file(SALES), TYPE, 400],
    [`--${BOUNDARY}\r\n`, TYPE, 400],
    [`--${BOUNDARY}x${END}`, TYPE, 400],
    [`${field('dates', '')}${field('dates', '')}${END}`, TYPE, 400],
    [`${field('delimiter', 'x'.repeat(40_000))}${END}`, TYPE, 400],
    [`--${BOUNDARY}\r\n${'x: y\r\n'.repeat(2_000)}\r\n${END}`, TYPE, 400],
    [`--${BOUNDARY}\r\nContent-Disposition: attachment; name="file"\r\n\r\nx\r\n${END}`, TYPE, 400],
    [`${Array.from({ length: 30 }, (_, i) => field(`f${i}`, '')).join('')}${END}`, TYPE, 400],
    [`${file(SALES)}${field('dates', 'day_first')}${END}`, TYPE, 400],
  ];
  for (const [body, headers, status] of cases) {
    const reply = await upload(owner, body, headers);
    assert.equal(reply.status, status, `${JSON.stringify(headers)} ${body.slice(0, 80)}`);
    assert.match(String(reply.headers['content-type']), /^text\/html/);
  }
  assert.equal(await countFiles(), count);
});

test('a viewer reads and forecasts files, and finds no control that changes them', async () => {
  const sent = await upload(owner, `${file(SALES)}${END}`);
  const address = String(sent.location);
  const list = await viewer.get(path);
  assert.equal(list.status, 200);
  assert.doesNotMatch(list.body, /data-upload|type="file"/);
  assert.match(list.text, /lets you read and forecast its files/);
  const shown = await viewer.get(address);
  assert.match(shown.body, />Forecast this</);
  assert.doesNotMatch(shown.body, /type="file"|\/delete"/);
  const page = await viewer.get(`${address}/delete`);
  assert.equal(page.status, 403);
  assert.match(page.text, /You cannot delete this file/);
  assert.doesNotMatch(page.body, /<button class="danger"/);
  assert.equal((await viewer.post(`${address}/delete`, {})).status, 403);
  const refused = await upload(viewer, `${file(SALES)}${END}`);
  assert.equal(refused.status, 403);
  assert.equal((await owner.post(`${address}/delete`, {})).location, path);
  const twice = await owner.post(`${address}/delete`, {});
  assert.equal(twice.location, path);
  assert.match((await owner.get(path)).text, /already done/);
});

test('a mistake in the columns is shown with its line', async () => {
  const rows = 'day,n\n2024-01-01,1\n2024-01-02,2\n2024-01-02,3\n2024-01-03,4\n';
  const { location } = await upload(owner, `${file(rows)}${END}`);
  const shown = await owner.get(String(location));
  assert.match(shown.text, /Line 4: the time 2024-01-02.* is already used on line 3/);
  assert.match(shown.body, /<tr class="marked"><th scope="row">4/);
  const other = await owner.get(`${location}?time_field=n&value_field=nothing`);
  assert.match(other.text, /not a time of the years/);
  const id = String(location).split('/').at(-1);
  const form = await owner.get(
    `/new?source=workspace_csv&file_workspace=${path.split('/')[2]}&csv_id=${id}&time_field=day&value_field=n`,
  );
  assert.match(String(form.location), /\/files\/csv_/);
});

test('one bad cell is named with its line before anything is chosen', async () => {
  const rows = Array.from({ length: 40 }, (_, day) => [
    `2024-01-${String(1 + (day % 28)).padStart(2, '0')}`,
    `${day},5`,
  ]);
  const send = async (line: number, column: number, cell: string) => {
    const changed = rows.map((row, at) => row.map((old, index) => (at === line - 2 && index === column ? cell : old)));
    const text = `Tag;Umsatz\n${changed.map((row) => row.join(';')).join('\n')}\n`;
    return owner.get(String((await upload(owner, `${file(text)}${END}`)).location));
  };
  const cases: [number, number, string, RegExp][] = [
    [27, 1, '12,3x', /No column was read as numbers.*Umsatz ?: Line 27: "12,3x" is not a number in the format/s],
    [2, 1, '<b>', /No column was read as numbers.*Umsatz ?: Line 2: "<b>" is not a number\./s],
    [31, 0, '2024-13-45', /No column was read as times.*Tag ?: Line 31: "2024-13-45" is not a time/s],
  ];
  for (const [line, column, cell, words] of cases) {
    const page = await send(line, column, cell);
    assert.match(unescapeText(page.text), words);
    assert.match(page.body, new RegExp(`<tr class="marked"><th scope="row">${line}<`));
    assert.doesNotMatch(page.body, /<b>/);
  }
  const names = rows.map(([day], row) => `${day};name ${row}`).join('\n');
  const text = await owner.get(String((await upload(owner, `${file(`Tag;Name\n${names}\n`)}${END}`)).location));
  assert.match(text.text, /No column was read as numbers/);
  assert.doesNotMatch(text.text, /is not a number/);
});

test('files of a personal workspace state how many members see them, and a member does not read that they are its own', async () => {
  const [first, second] = [await makeAccount(api.identity), await makeAccount(api.identity)];
  const personal = await personalWorkspace(fixture.database, first.id);
  const address = `/workspaces/${personal.slug}/files`;
  const host = await signIn(first.email);
  assert.match((await host.get(address)).text, /Your own files\. Only you see them\./);
  await makeMember(fixture.database, personal.id, second.id);
  const seen = (await host.get(address)).text;
  assert.match(seen, /The files of your personal workspace\. 2 members see them, each as far as its access allows\./);
  const shared = (await (await signIn(second.email)).get(address)).text;
  assert.match(shared, /The files of a personal workspace that is shared with you\. 2 members see them/);
  for (const text of [seen, shared]) assert.doesNotMatch(text, /Your own files|Only you/);
});

test('visitors without an account, and outsiders, learn nothing and find the way in', async () => {
  const newcomer = pageVisitor(api.app);
  for (const address of ['/files', path]) {
    const reply = await newcomer.get(address);
    assert.equal(reply.status, 200, address);
    assert.match(reply.body, /\/auth\/sign-up\?return_to=/);
  }
  assert.equal((await upload(newcomer, `${file(SALES)}${END}`)).status, 401);
  assert.equal(newcomer.cookies.size, 0);
  const outsider = await signIn((await makeAccount(api.identity)).email);
  for (const address of [path, `${path}/csv_nothing`, `${path}/csv_nothing/delete`])
    assert.equal((await outsider.get(address)).status, 403, address);
  assert.equal((await upload(outsider, `${file(SALES)}${END}`)).status, 403);
  assert.equal((await owner.get(`${path}/csv_nothing`)).status, 404);
  assert.match(String((await outsider.get('/files')).location), /^\/workspaces\/personal-[^/]*\/files$/);
});
