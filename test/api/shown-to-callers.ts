import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { PLANS, ROLES, VISIBILITIES, type Visibility } from '../../src/contract/index.ts';
import { FORECAST_PAGES, pageReader, RESULT_FILES, readMissing } from '../support/api/public-pages.ts';
import { answerOf, completeForecast, DENIED_LICENSES, openEdge } from '../support/feeds/feed-scene.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { type Caller, FORECASTS, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';
import type { PublicScene } from './public-content.ts';

/** What decides whether a page or a feed shows a forecast. */
interface Cell {
  readonly visibility: Visibility;
  /** The plan of all accounts: the owner of the forecast and the reader. */
  readonly plan: (typeof PLANS)[number];
  /** The role of the reader in the workspace of the forecast. The owner of the workspace has made the forecast. */
  readonly role: (typeof ROLES)[number] | 'none';
  readonly isDeleted: boolean;
  readonly isDenied: boolean;
}

const READERS = [...ROLES, 'none'] as const;
const NO_YES = [false, true];

/** A page depends on the forecast only, and on no plan and no role. */
function expectedPage({
  visibility,
  isDeleted,
  isDenied,
}: Pick<Cell, 'visibility' | 'isDeleted' | 'isDenied'>): number {
  return visibility === 'public' && !isDeleted && !isDenied ? 200 : 404;
}

/** A feed reads what its account may read now. */
function expectedFeed({ visibility, plan, role, isDeleted, isDenied }: Cell): string {
  const isReadable = visibility === 'public' || role === 'owner' || (visibility === 'workspace' && role !== 'none');
  if (plan === 'free') return '403 PLAN_REQUIRED';
  if (isDeleted || !isReadable) return '404 NOT_FOUND';
  return isDenied ? '403 LICENSE_DENIED' : '200';
}

/** Returns the addresses of a forecast without its picture, which is drawn from the same chart but takes longer. */
function addressesOf(slug: string): string[] {
  return [...FORECAST_PAGES(slug), ...RESULT_FILES(slug)].filter((url) => !url.endsWith('.png'));
}

interface Shown {
  readonly slug: string;
  /** The token of a feed of each reader. */
  readonly tokens: ReadonlyMap<Cell['role'], string>;
}

/** Creates a forecast that every reader has a feed of. */
async function show(
  service: ForecastService,
  readers: ReadonlyMap<Cell['role'], Caller>,
  fields: object,
  isDeleted: boolean,
): Promise<Shown> {
  const owner = readers.get('owner') as Caller;
  const { id, slug } = await completeForecast(service, owner, fields);
  const tokens = new Map<Cell['role'], string>();
  for (const [role, { accountId }] of readers) {
    const choice = { kind: 'forecast' as const, request: { forecast_id: id } };
    tokens.set(role, (await makeFeed(service.identity, String(accountId), choice)).token);
  }
  if (isDeleted) {
    // Opened before, so that a kept page would be found.
    for (const url of addressesOf(slug)) await pageReader(service.app)(url);
    assert.equal((await owner.request('DELETE', `${FORECASTS}/${id}`)).status, 200);
  }
  return { slug, tokens };
}

/** Opens the same service with denied licenses. */
async function openStrict(service: ForecastService) {
  const { app } = await openEdge(service, { ALMANAC_DENIED_LICENSES: DENIED_LICENSES });
  return { app, [Symbol.asyncDispose]: () => app.close() };
}

/** Tests every case of visibility, plan, role, deletion and denied license. */
export function testShownToCallers(scene: () => Pick<PublicScene, 'service'>): void {
  test('pages and feeds show a forecast in exactly these cases', async () => {
    const { service } = scene();
    const { database } = service;
    await using strict = await openStrict(service);
    const readers = new Map<Cell['role'], Caller>();
    for (const role of READERS) readers.set(role, await service.account('enterprise'));
    const workspace = await makeWorkspace(database, String(readers.get('owner')?.accountId));
    for (const role of ['editor', 'viewer'] as const) {
      await makeMember(database, workspace.id, String(readers.get(role)?.accountId), { role });
    }
    const isMissing = await readMissing(pageReader(service.app));
    const ids = Array.from(readers.values(), ({ accountId }) => accountId);
    const setPlan = (plan: string) =>
      sql`UPDATE account SET plan = ${plan} WHERE id = ANY (${ids})`.execute(database.query());
    let cells = 0;
    for (const visibility of VISIBILITIES) {
      for (const isDeleted of NO_YES) {
        const { slug, tokens } = await show(service, readers, { visibility, workspace_id: workspace.id }, isDeleted);
        for (const plan of PLANS) {
          await setPlan(plan);
          for (const isDenied of NO_YES) {
            const { app } = isDenied ? strict : service;
            // A page reads no credential. Each address gets that of another reader, whose role must not matter.
            const credentials = [...readers.values()].map((reader) => reader.credentials);
            for (const [index, url] of addressesOf(slug).entries()) {
              const { status, body } = await pageReader(app)(url, { headers: credentials[index] ?? {} });
              const what = JSON.stringify({ visibility, plan, isDeleted, isDenied, url });
              assert.equal(status, expectedPage({ visibility, isDeleted, isDenied }), what);
              assert.equal(isMissing(url, body), status === 404, what);
            }
            for (const [role, token] of tokens) {
              cells++;
              const cell: Cell = { visibility, plan, role, isDeleted, isDenied };
              assert.equal(await answerOf(app, token), expectedFeed(cell), JSON.stringify(cell));
            }
          }
        }
        await setPlan('enterprise');
      }
    }
    assert.equal(cells, 144);
  });
}
