import { accountIdOf, type Licenses, type Principal } from '../access/index.ts';
import { canonicalJson, Fault, MAX_OBSERVATIONS, type PublicReference } from '../contract/index.ts';
import {
  type ExportedSnapshot,
  freeze,
  requireAllowedLicense,
  type SeriesSource,
  type SeriesTable,
  type SnapshotContext,
  type SnapshotExports,
  type SourceRegistry,
} from '../snapshots/index.ts';
import { observationsSnapshotNotFound, snapshotOfOtherSource } from './faults.ts';
import type { RowFacts } from './row-facts.ts';

export interface ObservationsContext extends SnapshotContext {
  /** Decides under which licenses rows may be read. */
  readonly licenses: Licenses;
  readonly sources: SourceRegistry;
  readonly exports: SnapshotExports;
}

export interface ObservationsRequest {
  readonly source: PublicReference;
  readonly limit?: number | undefined;
  /** Milliseconds since 1970. */
  readonly cutoff?: number | undefined;
  readonly snapshotId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The `about` of a snapshot of observations. */
export interface AboutObservations {
  readonly kind: 'observations';
  readonly source: PublicReference;
  readonly value_field: string;
  readonly frequency: string;
  readonly units: string;
  readonly provider: string;
  readonly truncated: boolean;
  /** What the provider states about the rows. Present for series of live providers. */
  readonly facts?: RowFacts;
}

export interface Observations {
  readonly exported: ExportedSnapshot;
  readonly about: AboutObservations;
  /** The bytes of the dry run before the read. Present for warehouse tables; absent for rows of an earlier snapshot. */
  readonly estimatedBytes?: number | undefined;
}

/**
 * Reads, freezes and returns the rows of one series. If the request names a snapshot, returns the rows of that snapshot
 * instead.
 */
export async function readObservations(
  context: ObservationsContext,
  principal: Principal,
  request: ObservationsRequest,
): Promise<Observations> {
  const source = context.sources.of(request.source);
  await source.authorize(principal, request.source);
  const { snapshotId } = request;
  if (snapshotId !== undefined) {
    return readSnapshot(context, principal, source, { ...request, snapshotId });
  }
  const { limit = MAX_OBSERVATIONS, cutoff } = request;
  // One more row than requested shows whether there are older rows.
  const read = await source.read(request.source, {
    limit: limit + 1,
    cutoff,
    accountId: accountIdOf(principal),
    signal: request.signal,
  });
  const isOver = read.table.timestamps.length > limit;
  const truncated = isOver || read.hasOlder === true;
  const about: AboutObservations = {
    ...(read.about as Pick<AboutObservations, 'source' | 'units' | 'frequency' | 'facts'>),
    kind: 'observations',
    provider: read.provider,
    value_field: read.valueField,
    truncated,
  };
  const table = isOver ? lastRows(read.table, limit) : read.table;
  const snapshot = await freeze(context, { about: { ...about }, table });
  return { exported: context.exports.add(snapshot), about, estimatedBytes: read.estimatedBytes };
}

function lastRows({ timestamps, columns }: SeriesTable, count: number): SeriesTable {
  return {
    timestamps: timestamps.slice(-count),
    columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.slice(-count)])),
  };
}

async function readSnapshot(
  context: ObservationsContext,
  principal: Principal,
  source: SeriesSource,
  { source: reference, snapshotId }: ObservationsRequest & { readonly snapshotId: string },
): Promise<Observations> {
  const exported = await context.exports.open(snapshotId);
  const about = exported?.snapshot.about as AboutObservations | undefined;
  // Snapshots of other kinds, and of private files, must not be readable here.
  if (!exported || about?.kind !== 'observations' || about.source.type !== reference.type) {
    throw observationsSnapshotNotFound();
  }
  // The caller has not seen the source of the snapshot, which may be hidden from it.
  await source.authorize(principal, about.source).catch((error) => {
    throw error instanceof Fault ? observationsSnapshotNotFound() : error;
  });
  requireAllowedLicense(context.licenses, exported.snapshot.about);
  for (const [field, value] of Object.entries(source.canonical(reference, about.provider))) {
    const frozen = (about.source as Readonly<Record<string, unknown>>)[field];
    if (canonicalJson(frozen ?? null) === canonicalJson(value ?? null)) continue;
    throw snapshotOfOtherSource(field, frozen);
  }
  return { exported, about };
}
