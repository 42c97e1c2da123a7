import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { requestAs } from '../support/api/request-as.ts';
import {
  type Caller,
  create,
  FORECASTS,
  type ForecastService,
  type Started,
} from '../support/forecasts/forecast-service.ts';
import { withKey } from '../support/identity/callers.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

interface Allowed {
  readonly forecast_id: string;
  readonly is_own: boolean;
  readonly actions: readonly string[];
}

const ALL = ['update', 'cancel', 'delete', 'reproduce'];

/** Tests the list of actions that a caller may take on a forecast. */
export function testAllowedActions(open: () => ForecastService): void {
  describe('the actions that a caller may take on a forecast', () => {
    let service: ForecastService;
    let owner: Caller;
    before(async () => {
      service = open();
      owner = await service.account('enterprise');
    });

    const list = async ({ request }: Pick<Caller, 'request'>, name: string) =>
      (await request<Allowed>('GET', `${FORECASTS}/${name}/actions`)).data;

    test('the creator may do everything, and readers of a public forecast may only reproduce it', async () => {
      const { data: forecast } = await create(owner, { visibility: 'public' });
      const { forecast_id, slug } = forecast;
      assert.deepEqual(await list(owner, slug), { forecast_id, is_own: true, actions: ALL });
      for (const reader of [await service.account('free'), await service.guest()])
        assert.deepEqual(await list(reader, forecast_id), { forecast_id, is_own: false, actions: ['reproduce'] });
      const readOnly = {
        request: requestAs(service.app, await withKey(service.identity, String(owner.accountId), ['forecasts:read'])),
      };
      assert.deepEqual(
        await list(readOnly, slug),
        { forecast_id, is_own: true, actions: [] },
        'the scope limits the key',
      );
      const guest = await service.guest();
      const { data: own } = await create(guest);
      assert.deepEqual(await list(guest, own.slug), { forecast_id: own.forecast_id, is_own: true, actions: ALL });
    });

    test('members of a workspace get what their role allows', async () => {
      const { id } = await makeWorkspace(service.database, String(owner.accountId));
      const [creator, editor, viewer] = [await service.account(), await service.account(), await service.account()];
      for (const [member, role] of [
        [creator, 'editor'],
        [editor, 'editor'],
        [viewer, 'viewer'],
      ] as const)
        await makeMember(service.database, id, String(member.accountId), { role });
      const { data } = await create(creator, { workspace_id: id, visibility: 'workspace' });
      const actionsOf = async (caller: Caller) => (await list(caller, (data as Started).slug)).actions;
      assert.deepEqual(await actionsOf(creator), ALL);
      assert.deepEqual(await actionsOf(owner), ALL, 'the owner of the workspace pays');
      assert.deepEqual(await actionsOf(editor), ['update', 'cancel', 'reproduce']);
      assert.deepEqual(await actionsOf(viewer), []);
    });

    test('unknown and malformed names are refused', async () => {
      const read = async (name: string) => (await owner.request('GET', `${FORECASTS}/${name}/actions`)).status;
      assert.deepEqual(await Promise.all(['nothing', '%00', 'a'.repeat(300)].map(read)), [404, 400, 400]);
    });
  });
}
