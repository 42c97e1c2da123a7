import { sql } from 'kysely';
import { createWorkspaceContext } from '../../src/compose/index.ts';
import type { Visibility } from '../../src/contract/index.ts';
import type { ForecastResult } from '../../src/engine/index.ts';
import { WEBHOOK_KEY } from '../../src/notifications/webhooks/secrets.ts';
import { readSigningKeys, systemClock } from '../../src/platform/index.ts';
import { removeCollaborator } from '../../src/workspaces/index.ts';
import { create, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { makeEvent } from '../support/scout/events.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace, principalOf } from '../support/workspaces/workspaces.ts';
import { CALLERS, type Caller, type CallerName } from './callers.ts';
import { copyResources, type Templates } from './copy-resources.ts';
import { MEMBERSHIP_CALLERS, type MembershipCaller, membershipOf } from './membership-callers.ts';

/** The resources that one caller's paths name. */
export interface Scene {
  readonly workspace: { readonly id: string; readonly slug: string };
  /** The id of a member who is not the owner. */
  readonly collaborator: string;
  readonly csv: string;
  /** A completed forecast in the workspace; that of a guest is in none. */
  readonly forecast: { readonly id: string; readonly slug: string };
  /** A pending event in the workspace, by the creator of the forecast. */
  readonly event: { readonly id: string; readonly slug: string };
}

/** The number of scenes that one account takes part in, below the limit on workspaces. */
const MAX_SCENES = 10;

/** The callers of the table and their resources, created on demand and kept until a request consumes them. */
export interface World {
  caller(name: CallerName): Promise<Caller>;
  scene(name: CallerName): Promise<Scene>;
  /** Makes the next call of `scene` create new resources. */
  forgetScene(name: CallerName): Promise<void>;
  /** Makes the next call of `caller` create another caller with new resources. */
  forgetCaller(name: CallerName): Promise<void>;
}

export function isMembershipCaller(name: CallerName): name is MembershipCaller {
  return name in MEMBERSHIP_CALLERS;
}

/** @param visibility of the forecasts in the scenes of membership callers */
export async function openWorld(service: ForecastService, visibility: Visibility = 'workspace'): Promise<World> {
  const { database, identity } = service;
  const workspaces = createWorkspaceContext({ database, clock: systemClock });
  const otherOwner = await makeAccount(identity, { plan: 'enterprise', password: null });
  let member = await makeAccount(identity, { password: null });
  // The first use of a signing key creates it, and refused requests must change nothing.
  await service.forecasts.guestNetworkKey();
  await readSigningKeys(database, WEBHOOK_KEY);
  const { id: workspaceId } = await makeWorkspace(database, otherOwner.id);
  const templates: Templates = {
    csv: await makeCsvFile(database, workspaceId, otherOwner.id),
    forecast: await completedForecast(service),
    event: (await makeEvent(database, { author: otherOwner.id, workspaceId })).id,
  };
  const callers = new Map<CallerName, Caller>();
  const scenes = new Map<CallerName, Scene>();

  /** Counts workspaces, so that no account reaches its limit. */
  let workspaceCount = 0;
  const scenesOf = new Map<CallerName, number>();

  async function openWorkspace(ownerId: string) {
    workspaceCount += 1;
    if (workspaceCount % MAX_SCENES === 0) member = await makeAccount(identity, { password: null });
    const workspace = await makeWorkspace(database, ownerId);
    const collaborator = await makeMember(database, workspace.id, member.id);
    return { workspace, collaborator };
  }

  /** Creates a workspace of the caller, or of another account if the caller can have none. */
  async function ownScene({ accountId, guestId }: Caller): Promise<Scene> {
    const author = accountId ?? otherOwner.id;
    const opened = await openWorkspace(author);
    const place = { workspaceId: opened.workspace.id, author, guestId, visibility: 'workspace' } as const;
    return { ...opened, ...(await copyResources(database, templates, place)) };
  }

  /** Creates a workspace of another owner in which the caller has the membership that its name states. */
  async function membershipScene(name: MembershipCaller, { accountId }: Caller): Promise<Scene> {
    const owner = name === 'owner' ? (accountId ?? '') : otherOwner.id;
    const opened = await openWorkspace(owner);
    const { id: workspaceId } = opened.workspace;
    // In the owner's scene a member created the forecast and the event.
    const creators: Partial<Record<MembershipCaller, string | null>> = {
      owner: member.id,
      'removed creator': accountId,
    };
    const author = creators[name] ?? owner;
    const copies = await copyResources(database, templates, { workspaceId, author, visibility });
    const membership = membershipOf(name, { csv: copies.csv, forecast: copies.forecast.id });
    if (membership !== null && accountId !== null) await makeMember(database, workspaceId, accountId, membership);
    if (name === 'removed creator' || name === 'removed member') {
      const left = await makeMember(database, workspaceId, accountId ?? '', { role: 'editor' });
      await removeCollaborator(workspaces, principalOf(otherOwner), workspaceId, left);
    }
    return { ...opened, ...copies };
  }

  /** Removes the resources: the tests read the whole database often, so it has to stay small. */
  async function closeScene(name: CallerName): Promise<void> {
    const { workspace, forecast } = scenes.get(name) ?? {};
    scenes.delete(name);
    await sql`DELETE FROM workspace WHERE id = ${workspace?.id ?? ''}`.execute(database.query());
    await sql`DELETE FROM forecast WHERE id = ${forecast?.id ?? ''}`.execute(database.query());
  }

  async function caller(name: CallerName): Promise<Caller> {
    const known =
      callers.get(name) ?? (await (isMembershipCaller(name) ? MEMBERSHIP_CALLERS[name] : CALLERS[name])(identity));
    callers.set(name, known);
    return known;
  }

  return {
    caller,
    async scene(name) {
      const current = await caller(name);
      const known =
        scenes.get(name) ?? (await (isMembershipCaller(name) ? membershipScene(name, current) : ownScene(current)));
      scenes.set(name, known);
      return known;
    },
    async forgetScene(name) {
      await closeScene(name);
      const count = (scenesOf.get(name) ?? 0) + 1;
      scenesOf.set(name, count);
      if (count % MAX_SCENES === 0) callers.delete(name);
    },
    async forgetCaller(name) {
      await closeScene(name);
      callers.delete(name);
    },
  };
}

let computed: Promise<ForecastResult> | undefined;

/** Creates a small completed forecast. Returns its id. */
async function completedForecast(service: ForecastService): Promise<string> {
  const small = { horizon: 1, models: ['theta'], quantiles: [0.5] };
  const { data } = await create(await service.account('enterprise'), small);
  computed ??= computeResult();
  const result = await computed;
  await runAttempt(service, await activateJob(service.database, data.forecast_id), async () => result);
  return data.forecast_id;
}
