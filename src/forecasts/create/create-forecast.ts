import type { Account, Guest } from '../../access/index.ts';
import type { Visibility } from '../../contract/index.ts';
import { freeze } from '../../snapshots/index.ts';
import { type FoundMembership, requireMembership, workspaceDenied } from '../../workspaces/index.ts';
import type { ForecastContext } from '../context.ts';
import { guestCannotPublish, horizonTooLong, workspaceIdRequired } from '../faults.ts';
import { countCredits } from '../metering/charges.ts';
import { requireMemberCredits } from '../metering/member-credits.ts';
import { findPayer, ownerOf, type Payer } from '../owner.ts';
import { requireStorageLeft, type Transact } from '../storage/storage-budgets.ts';
import { acceptRequest, checkMode, licensedCheckpoints } from './accept-request.ts';
import { hashGuestNetwork, requireCapacity, requireCredits } from './check-limits.ts';
import { idempotentRequest, queueIdempotently } from './idempotency.ts';
import { hashRows, readInlineInput } from './inline-input.ts';
import type { NewForecast } from './queue-forecast.ts';
import { type CreateRequest, checkKnownAtCutoff, type ForecastInput, readSourceInput } from './read-input.ts';

interface CreateOptions {
  readonly idempotencyKey: string | null;
  /** The network of the caller's address, as the rate limits count it. */
  readonly network: string | null;
  readonly signal?: AbortSignal | undefined;
}

/** A request with its default visibility filled in. */
export type ResolvedRequest = CreateRequest & { readonly visibility: Visibility };

/**
 * Creates a forecast: reads and freezes its rows, then stores and queues it in one transaction.
 *
 * @returns the id of the forecast
 */
export async function createForecast(
  context: ForecastContext,
  principal: Account | Guest,
  body: CreateRequest,
  options: CreateOptions,
): Promise<string> {
  const request = resolveRequest(body);
  const { idempotencyKey } = options;
  const repeatable =
    idempotencyKey === null
      ? null
      : idempotentRequest(ownerOf(principal).id, idempotencyKey, comparableRequest(request));
  return queueIdempotently(context, principal, repeatable, async () => {
    const { forecast, input } = await prepareForecast(context, principal, request, {
      ...options,
      admit: (payer) => context.load.admitForecast(payer),
      transact: (work) => context.database.transaction(work),
    });
    const snapshot = await freeze(context, { about: input.about, table: input.table });
    return { ...forecast, snapshotId: snapshot.id };
  });
}

/**
 * Returns a request in the form in which it is compared with a repeated one, with the hash of inline rows. The full mode
 * is left out: it is the default, and requests that were sent before there were modes have none.
 */
function comparableRequest({ mode, ...request }: ResolvedRequest): object {
  const { source } = request;
  const compared = mode === 'fast' ? { ...request, mode } : request;
  return source.type === 'inline' ? { ...compared, source: { type: 'inline', rows: hashRows(source.rows) } } : compared;
}

interface PrepareOptions extends Pick<CreateOptions, 'network' | 'signal'> {
  /** Throws a fault if the service is too late to create forecasts of this payer. Default: it is not checked. */
  readonly admit?: (payer: Payer) => Promise<void>;
  /** Runs the transaction that frees storage before rows are read. */
  readonly transact: Transact;
}

/** A forecast whose rows were read but not frozen. */
export interface PreparedForecast {
  readonly forecast: Omit<NewForecast, 'snapshotId'>;
  readonly input: ForecastInput;
  readonly maxFolds: number;
  readonly payer: Payer;
  /** The caller's membership in the workspace of the forecast; null outside a workspace. */
  readonly membership: FoundMembership | null;
  /** The credits that the payer has left this month, before this forecast; null if they are unlimited. */
  readonly creditsLeft: number | null;
}

/** Does all the work that comes before the rows are frozen. An estimate needs the same work, and stores nothing. */
export async function prepareForecast(
  context: ForecastContext,
  principal: Account | Guest,
  request: ResolvedRequest,
  options: PrepareOptions,
): Promise<PreparedForecast> {
  checkKnownAtCutoff(request);
  checkMode(request);
  if (request.visibility === 'public' && principal.kind === 'guest') throw guestCannotPublish();
  const membership = await findTargetMembership(context, principal, request);
  const payer = await findPayer(context.database, principal, membership);
  await options.admit?.(payer);
  if (request.horizon > payer.limits.horizon) throw horizonTooLong(payer.limits.horizon);
  const network = await hashGuestNetwork(context, principal, options.network);
  await requireCapacity(context, payer, network);
  const workspaceId = membership?.workspaceId ?? null;
  await requireStorageLeft(context, payer, { workspaceId, network }, options.transact);
  if (membership !== null) {
    const member = { accountId: ownerOf(principal).id, membership };
    await requireMemberCredits(context.database, member, context.clock.now());
  }
  const input =
    request.source.type === 'inline'
      ? await readInlineInput(request, request.source.rows)
      : await readSourceInput(context, principal, request, request.source, options.signal);
  const usable = licensedCheckpoints(request, await context.checkpoints.current(), context.licenses);
  const { settings, maxFolds, checkpoints } = acceptRequest(request, input, usable);
  const rows = input.table.timestamps.length;
  const credits = countCredits({ models: settings.models.length, rows, folds: maxFolds });
  const creditsLeft = await requireCredits(context, payer, credits);
  const forecast = {
    owner: ownerOf(principal),
    network,
    workspaceId,
    visibility: request.visibility,
    title: request.title ?? null,
    request: withoutPoints(request),
    settings,
    checkpoints,
    reproduces: null,
    credits,
  };
  return { forecast, input, maxFolds, payer, membership, creditsLeft };
}

/** Returns a request with its visibility. The default is `workspace` in a workspace, and otherwise `private`. */
export function resolveRequest(body: CreateRequest): ResolvedRequest {
  const { visibility = body.workspace_id === undefined ? 'private' : 'workspace' } = body;
  return { ...body, visibility };
}

/** Returns the request in the form in which it is stored, without inline rows, which are in the snapshot. */
function withoutPoints(request: CreateRequest): object {
  return request.source.type === 'inline' ? { ...request, source: { type: 'inline' } } : request;
}

/**
 * Returns the caller's membership in the workspace that the request names by id or slug; null if it names no workspace.
 */
async function findTargetMembership(
  { database }: Pick<ForecastContext, 'database'>,
  principal: Account | Guest,
  { workspace_id: idOrSlug, visibility }: ResolvedRequest,
): Promise<FoundMembership | null> {
  if (idOrSlug === undefined) {
    if (visibility === 'workspace') throw workspaceIdRequired();
    return null;
  }
  if (principal.kind === 'guest') throw workspaceDenied();
  return requireMembership(database, principal, idOrSlug, 'forecast.create');
}
