import { sql } from 'kysely';
import { createWorkspaces } from '../../src/compose/index.ts';
import type { Visibility } from '../../src/contract/index.ts';
import type { ForecastResult } from '../../src/engine/index.ts';
import { newId, systemClock } from '../../src/platform/index.ts';
import { removeCollaborator } from '../../src/workspaces/index.ts';
import { create, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { makeEvent } from '../support/scout/events.ts';
import { makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace, principalOf } from '../support/workspaces/workspaces.ts';
import { CALLERS, type Caller, type CallerName } from './callers.ts';
import { MEMBERSHIP_CALLERS, type MembershipCaller, membershipOf } from './membership-callers.ts';

/** Everything that a path can name, as one caller meets it. */
export interface Scene {
  readonly workspace: { readonly id: string; readonly slug: string };
  /** A member beside the owner. */
  readonly collaborator: string;
  readonly csv: string;
  /** Completed, in the workspace; a guest's is in none. */
  readonly forecast: { readonly id: string; readonly slug: string };
  /** Pending, in the workspace, by who made the forecast. */
  readonly event: { readonly id: string; readonly slug: string };
}

/** Of one person. */
const MAX_SCENES = 10;

/** The callers of the table and the things that they meet, made when they are needed and kept until they are spent. */
export interface World {
  caller(name: CallerName): Promise<Caller>;
  scene(name: CallerName): Promise<Scene>;
  /** The next one gets new things. */
  forgetScene(name: CallerName): Promise<void>;
  /** The next one is somebody else, with new things. */
  forgetCaller(name: CallerName): Promise<void>;
}

export function isMembershipCaller(name: CallerName): name is MembershipCaller {
  return name in MEMBERSHIP_CALLERS;
}

/** @param visibility of the forecasts in the scenes of membership callers */
export async function openWorld(service: ForecastService, visibility: Visibility = 'workspace'): Promise<World> {
  const { database, identity } = service;
  const workspaces = createWorkspaces({ database, clock: systemClock });
  const somebody = await makeAccount(identity, { plan: 'enterprise', password: null });
  let member = await makeAccount(identity, { password: null });
  const template = await completedForecast(service);
  const workspace = await makeWorkspace(database, somebody.id);
  const file = await makeCsvFile(database, workspace.id, somebody.id);
  const callers = new Map<CallerName, Caller>();
  const scenes = new Map<CallerName, Scene>();

  /** The same forecast again, as somebody's in a workspace or in none. */
  async function copyForecast(
    owner: { accountId: string } | { guestId: string },
    location: object,
  ): Promise<Scene['forecast']> {
    const id = newId('ef');
    const made = 'accountId' in owner ? [owner.accountId, owner.accountId, null] : [owner.guestId, null, owner.guestId];
    const [ownerId, account_id, guest_id] = made;
    const slug = `a-${id.slice(-26).toLowerCase()}`;
    const changes = { id, slug, owner: ownerId, payer: ownerId, account_id, guest_id, ...location };
    await sql`
      INSERT INTO forecast SELECT (jsonb_populate_record(forecast, ${JSON.stringify(changes)}::jsonb)).*
      FROM forecast WHERE id = ${template}`.execute(database.query());
    await sql`
      INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
      SELECT ${id}, number, kind, data, created_at FROM forecast_event WHERE forecast_id = ${template}
    `.execute(database.query());
    return { id, slug };
  }

  /** The same file again, in another workspace. */
  async function copyFile(workspaceId: string): Promise<string> {
    const id = newId('csv');
    const changes = JSON.stringify({ id, workspace_id: workspaceId });
    await sql`
      INSERT INTO csv_file SELECT (jsonb_populate_record(csv_file, ${changes}::jsonb)).*
      FROM csv_file WHERE id = ${file}`.execute(database.query());
    await sql`
      INSERT INTO csv_chunk SELECT (jsonb_populate_record(csv_chunk, ${JSON.stringify({ file_id: id })}::jsonb)).*
      FROM csv_chunk WHERE file_id = ${file}`.execute(database.query());
    return id;
  }

  /** There are limits to how many workspaces one can have, and nobody here is to meet one. */
  let opened = 0;
  const scenesOf = new Map<CallerName, number>();

  async function openWorkspace(ownerId: string) {
    opened += 1;
    if (opened % MAX_SCENES === 0) member = await makeAccount(identity, { password: null });
    const workspace = await makeWorkspace(database, ownerId);
    const collaborator = await makeMember(database, workspace.id, member.id);
    return { workspace, collaborator, csv: await copyFile(workspace.id) };
  }

  /** A workspace of the caller's own; of somebody's where it can have none. */
  async function ownScene({ accountId, guestId }: Caller): Promise<Scene> {
    const own = await openWorkspace(accountId ?? somebody.id);
    const inside = { workspace_id: own.workspace.id, visibility: 'workspace' };
    const event = await makeEvent(database, { author: accountId ?? somebody.id, workspaceId: own.workspace.id });
    const forecast = guestId
      ? await copyForecast({ guestId }, { workspace_id: null, visibility: 'private' })
      : await copyForecast({ accountId: accountId ?? somebody.id }, inside);
    return { ...own, forecast, event };
  }

  /** Creates a workspace of another owner in which the caller has the membership that its name states. */
  async function membershipScene(name: MembershipCaller, { accountId }: Caller): Promise<Scene> {
    const owner = name === 'owner' ? (accountId ?? '') : somebody.id;
    const theirs = await openWorkspace(owner);
    const { id: workspaceId } = theirs.workspace;
    // The owner meets what a member has made.
    const makers: Partial<Record<MembershipCaller, string | null>> = {
      owner: member.id,
      'maker who was removed': accountId,
    };
    const maker = makers[name] ?? owner;
    const forecast = await copyForecast({ accountId: maker }, { workspace_id: workspaceId, visibility });
    const event = await makeEvent(database, { author: maker, workspaceId, visibility });
    const membership = membershipOf(name, { csv: theirs.csv, forecast: forecast.id });
    if (membership !== null && accountId !== null) await makeMember(database, workspaceId, accountId, membership);
    if (name === 'maker who was removed' || name === 'member who was removed') {
      const left = await makeMember(database, workspaceId, accountId ?? '', { role: 'editor' });
      await removeCollaborator(workspaces, principalOf(somebody), workspaceId, left);
    }
    return { ...theirs, forecast, event };
  }

  /** What is no longer met is removed: the whole database is read again and again. */
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
      const who = await caller(name);
      const known = scenes.get(name) ?? (await (isMembershipCaller(name) ? membershipScene(name, who) : ownScene(who)));
      scenes.set(name, known);
      return known;
    },
    async forgetScene(name) {
      await closeScene(name);
      const many = (scenesOf.get(name) ?? 0) + 1;
      scenesOf.set(name, many);
      if (many % MAX_SCENES === 0) callers.delete(name);
    },
    async forgetCaller(name) {
      await closeScene(name);
      callers.delete(name);
    },
  };
}

let computed: Promise<ForecastResult> | undefined;

/** A small forecast that has run. @returns its id */
async function completedForecast(service: ForecastService): Promise<string> {
  const small = { horizon: 1, models: ['theta'], quantiles: [0.5] };
  const { data } = await create(await service.account('enterprise'), small);
  computed ??= computeResult();
  const result = await computed;
  await runAttempt(service, await activateJob(service.database, data.forecast_id), async () => result);
  return data.forecast_id;
}
