import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formsOf, mainOf, type PageForm } from '../support/api/page-markup.ts';
import { servedRoutes } from '../support/api/served-routes.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import type { PageReply, PageVisitor } from '../support/identity/page-visitor.ts';
import { testedKind } from '../support/platform/database.ts';
import type { Caller } from './callers.ts';
import { externalIssuer } from './external-issuer.ts';
import { answerTo, openPageCaller, type PageCaller, pageCallers, standingOf } from './page-callers.ts';
import type { PageRow } from './page-row.ts';
import { PAGE_ROWS } from './page-rows.ts';
import { ROWS } from './rows.ts';
import { checkRefusal, checkStatus, followLinks, followRedirect, sendForm } from './visit-page.ts';
import { openWorld, type Scene, type World } from './world.ts';

let service: ForecastService;
let world: World;

before(async () => {
  service = await openForecastService(testedKind);
  world = await openWorld(service);
});

after(async () => {
  await externalIssuer[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

/**
 * Files, the API with its documents, the tools of agents, the steps of a sign-in, and the pages that mailed links open, which
 * need no caller.
 */
const NOT_OF_THE_CONSOLE =
  /^\w+ \/(api|mcp|docs|health|assets|\.well-known|embed|auth\/(?!account|farewell)|verify|(screener|notifications)\/unsubscribe|.*\.(svg|png|json|js)$)/;

/** Forms that need more than a scene, each with the test that sends them. */
const SENT_ELSEWHERE = [
  'POST /forecasts/:slug/replays', // test/api/console-replays.ts
  'POST /forecasts/:slug/save', // test/api/console-save.ts
];

/** The routes to which a form was sent. */
const sent = new Set<string>();

test('every page of the console has a row', () => {
  const pages = servedRoutes(service.app).filter(
    (route) => route.startsWith('GET ') && !NOT_OF_THE_CONSOLE.test(route),
  );
  const rows = new Set(PAGE_ROWS.map(({ path }) => `GET ${path}`));
  assert.ok(pages.length > 10);
  assert.deepEqual([...rows].sort(), pages);
});

for (const row of PAGE_ROWS) {
  test(`${row.name ?? row.path} as every caller`, async () => {
    const problems: string[] = [];
    for (const name of pageCallers({ isOfWorkspace: row.isOfWorkspace === true })) {
      for (const problem of await visitAs(name, row)) problems.push(`${name}: ${problem}`);
    }
    assert.deepEqual(problems, []);
  });
}

test('every form of the console was sent', () => {
  const routes = servedRoutes(service.app).filter(
    (route) => route.startsWith('POST ') && !NOT_OF_THE_CONSOLE.test(route),
  );
  const isSent = (route: string) =>
    [...sent].some((address) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(address));
  assert.deepEqual(
    routes.filter((route) => !isSent(route)),
    SENT_ELSEWHERE,
  );
});

/**
 * The kinds of links and forms that a caller, or another one of the same standing, has used, so that what several pages
 * have is used once.
 */
const used = new Map<PageCaller, Set<string>>();

/** Opens a page as a caller and uses everything on it. @returns what is wrong */
async function visitAs(name: PageCaller, row: PageRow): Promise<string[]> {
  const arrived = await arrive(name, row);
  const { address, visitor, page } = arrived;
  const answer = row.operation === undefined ? 200 : answerTo(ROWS[row.operation], name, row);
  const problems = checkStatus(page, answer, row.statuses?.[name]);
  const isNew = (kind: string, { scene }: Arrived) => isFirst(name, row, kind, scene);
  if (page.status >= 400) problems.push(...(await checkRefusal(page, address, visitor)));
  else {
    if (row.operation) problems.push(...(await followRedirect(page, visitor)));
    problems.push(...(await followLinks(page, visitor, (link) => isNew(link, arrived))));
    problems.push(...(await sendForms(name, row, arrived, isNew)));
  }
  if (row.changesScene) await world.forgetScene(name);
  return problems;
}

/** An id of anything, such as a filter that the preparation of a row created. */
const ID = /\b[a-z]{2,4}_[0-9A-Za-z]{26}\b/g;

/** Returns whether a caller has not used such a control before. What belongs to the scene does not distinguish them. */
function isFirst(name: PageCaller, row: PageRow, kind: string, scene: Scene): boolean {
  const own = [scene.workspace, scene.forecast, scene.event].flatMap(({ id, slug }) => [id, slug]);
  const parts = [...own, scene.csv, scene.collaborator].filter((part) => part !== '');
  const plain = parts.reduce((text, part) => text.replaceAll(part, ':id'), kind).replaceAll(ID, ':id');
  // A choice of readers outside the workspace depends on the account; the initial choice of the form depends on the role.
  const isOfWorkspace = row.isOfWorkspace === true && plain !== kind && !/ for (private|public)$/.test(kind);
  const standing = standingOf(name, { isOfWorkspace });
  const known = used.get(standing) ?? new Set();
  used.set(standing, known);
  const key = row.changesScene ? `${row.name ?? row.path} ${plain}` : plain;
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

/** Sends one form of each kind. What it changed must not make the next one fail, so that one is sent in another scene. */
async function sendForms(
  name: PageCaller,
  row: PageRow,
  first: Arrived,
  isNew: (kind: string, arrived: Arrived) => boolean,
): Promise<string[]> {
  const problems: string[] = [];
  const indexes = [...formKinds(first.page).keys()].flatMap((kind, i) => (isNew(kind, first) ? [i] : []));
  let current: Arrived | null = first;
  for (const index of indexes) {
    current ??= await arrive(name, row);
    const form = [...formKinds(current.page).values()][index];
    if (form === undefined) return [...problems, 'has other forms when it is opened again'];
    sent.add(`${form.method} ${form.action.split('?')[0]}`);
    const { problems: found, isAccepted } = await sendForm(form, current.address, current.visitor);
    problems.push(...found);
    if (!isAccepted) continue;
    if (row.isOfWorkspace) await world.forgetScene(name);
    browsers.delete(name);
    current = null;
  }
  return problems;
}

/** Returns the forms of a page by their kind: the rows of a list have the same ones. */
function formKinds({ body }: PageReply): Map<string, PageForm> {
  const kindOf = ({ method, action, fields }: PageForm) =>
    `${method} ${action.split('?')[0]} ${fields.map(([field]) => field).join(' ')}`;
  return new Map(
    formsOf(mainOf(body)).flatMap((form) => [
      [kindOf(form), form] as const,
      ...otherReaders(form).map(([value, other]) => [`${kindOf(form)} for ${value}`, other] as const),
    ]),
  );
}

/** Fields by which a visitor chooses the readers of what the form creates. What a role does not allow is not among the values. */
const READERS = ['visibility', 'audience', 'workspace_id'];

/** Returns a form once for each choice of readers that it does not make initially. */
function otherReaders(form: PageForm): [value: string, form: PageForm][] {
  const initial = new Map(form.fields);
  const lists = form.method === 'POST' ? form.choices.filter(([name]) => READERS.includes(name)) : [];
  return lists.flatMap(([name, values]) =>
    values
      .filter((value) => value !== initial.get(name))
      .map((value): [string, PageForm] => [
        value,
        { ...form, fields: form.fields.map(([field, text]) => [field, field === name ? value : text]) },
      ]),
  );
}

const NOTHING = { id: '', slug: '' };
/** The scene of a page that does not concern workspaces. Opening a real one takes a dozen statements. */
const EMPTY_SCENE: Scene = { workspace: NOTHING, collaborator: '', csv: '', forecast: NOTHING, event: NOTHING };

/** The browsers of callers, each until a form of it was accepted, which can end its session or make a newcomer a guest. */
const browsers = new Map<PageCaller, { readonly caller: Caller; readonly visitor: PageVisitor }>();

type Arrived = Awaited<ReturnType<typeof arrive>>;

/** Opens a page in a browser of the caller. */
async function arrive(name: PageCaller, row: PageRow) {
  const scene = row.isOfWorkspace ? await world.scene(name) : EMPTY_SCENE;
  const caller = await world.caller(name);
  const address = (await row.address?.({ identity: service.identity, caller, scene })) ?? row.path;
  const open = browsers.get(name);
  const visitor = open?.caller === caller ? open.visitor : await openPageCaller(service.app, service.identity, caller);
  browsers.set(name, { caller, visitor });
  return { address, visitor, scene, page: await visitor.get(address, { headers: { accept: 'text/html' } }) };
}
