import type { Frequency } from '../../calendar/index.ts';
import { formatFieldPath, InlineRows, type PublicReference } from '../../contract/index.ts';
import type { Config } from '../../platform/index.ts';
import type { CollectedRows } from '../../workspaces/index.ts';
import { type Terminal, UsageError } from '../command.ts';
import { formatBar, type Progress } from '../progress.ts';
import type { BegunEngine } from './begin-engine.ts';
import type { GivenRequest } from './forecast-options.ts';
import type { MadeForecast } from './report.ts';

/** The rows of a file, or a bundled series. */
export type LocalInput =
  | { readonly kind: 'rows'; readonly rows: CollectedRows; readonly frequency: Frequency; readonly title: string }
  | { readonly kind: 'series'; readonly source: PublicReference };

interface LocalOptions {
  readonly config: Config;
  readonly stderr: Terminal['stderr'];
  readonly engine: BegunEngine;
  readonly progress: Progress;
  readonly horizon: number;
  readonly given: GivenRequest;
}

/** Forecasts in this process, without a database. The digits are those of the same request to a service. */
export async function forecastHere(
  input: LocalInput,
  { config, stderr, engine, progress, horizon, given }: LocalOptions,
): Promise<Omit<MadeForecast, 'facts'>> {
  const [compute, forecasts, { createLog, systemClock }, { licensesWithout }] = await Promise.all([
    import('../../compute/index.ts'),
    import('../../forecasts/index.ts'),
    import('../../platform/index.ts'),
    import('../../access/index.ts'),
  ]);
  const folders = compute.checkpointFolders(config.dataFolder);
  const licenses = licensesWithout(config.deniedLicenses);
  const log = createLog('warn', stderr);
  const checkpoints = compute.openModelCheckpoints(folders, { toto: config.totoCheckpoint, log });
  const sources = await openSources(input, licenses);
  const request = await parseRequest(input, horizon, given);
  const parts = { sources, clock: systemClock, checkpoints, licenses };
  const prepared = await forecasts.prepareUnstored(parts, request, progress.signal);
  const { timestamps, columns } = prepared.input.table;
  const forecast = await forecasts.runUnstored(await engine.ready(), prepared, {
    signal: progress.signal,
    onProgress: ({ completed_models: done, total_models: total, current_model: current }) =>
      progress.show(`${formatBar(done, total)} models${current === null ? '' : `, ${current}`}`, done === total),
  });
  const { title, units } = prepared.input.about as { title?: string; units?: string };
  return {
    title: input.kind === 'rows' ? input.title : (title ?? ''),
    units: units || undefined,
    forecast,
    history: { timestamps, values: Object.values(columns)[0] ?? [] },
  };
}

async function openSources(
  input: LocalInput,
  licenses: ReturnType<typeof import('../../access/index.ts').licensesWithout>,
) {
  if (input.kind === 'series') return (await import('../../compose/index.ts')).openBundledSources(licenses);
  // Rows of a file have no source.
  const { createSourceRegistry } = await import('../../snapshots/index.ts');
  return createSourceRegistry([], licenses);
}

async function parseRequest(input: LocalInput, horizon: number, { frequency, fields }: GivenRequest) {
  const { ForecastRequestBody } = await import('../../contract/index.ts');
  const source = input.kind === 'series' ? input.source : { type: 'inline', points: toInlineRows(input.rows) };
  const named = input.kind === 'rows' ? input.frequency : frequency;
  const parsed = ForecastRequestBody.safeParse({ source, horizon, ...(named && { frequency: named }), ...fields });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${formatFieldPath(issue?.path ?? [])}: ${issue?.message ?? 'is invalid'}.`);
}

/** The numbers of the rows are their lines, so that messages name these. */
function toInlineRows({ times, values, lines }: CollectedRows): InlineRows {
  return new InlineRows({
    times: Float64Array.from(times),
    values: Float64Array.from(values),
    numbers: Uint32Array.from(lines),
    field: 'points',
  });
}
