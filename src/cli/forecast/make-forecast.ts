import type { Frequency } from '../../calendar/index.ts';
import type { PublicReference } from '../../contract/index.ts';
import type { Connection } from '../connect.ts';
import { seriesUnknownHere } from '../failures.ts';
import { type Description, describeBundled } from '../series/bundled.ts';
import { chooseValue } from '../series/choose-value.ts';
import { describeReading } from '../series/describe-reading.ts';
import { readBytes } from '../series/read-bytes.ts';
import { readRows } from '../series/read-rows.ts';
import type { Target } from '../series/read-target.ts';
import type { SeriesCommand } from '../series/run-series-command.ts';
import { beginEngine } from './begin-engine.ts';
import { forecastHere, type LocalInput } from './forecast-here.ts';
import type { GivenRequest } from './forecast-options.ts';
import { forecastThere } from './forecast-there.ts';
import type { MadeForecast } from './report.ts';

const MAX_HORIZON = 365;

/** Forecasts what an argument names: in this process if it is a file or a bundled series, otherwise through a service. */
export function makeForecast(target: Target, given: GivenRequest, command: SeriesCommand): Promise<MadeForecast> {
  return target.kind === 'rows' ? forecastRows(target, given, command) : forecastSeries(target, given, command);
}

async function forecastRows(
  target: Extract<Target, { kind: 'rows' }>,
  given: GivenRequest,
  command: SeriesCommand,
): Promise<MadeForecast> {
  const { values, terminal, progress, isRemote } = command;
  using engine = isRemote ? null : await beginEngine(command.config);
  const note = (line: string) => progress.note(line);
  const bytes = readBytes(target, { stdin: terminal.stdin, signal: progress.signal, note });
  const { rows, title, reading } = await readRows(bytes, target, values, given.frequency);
  for (const line of describeReading(reading)) note(line);
  const frequency = reading.frequency as Frequency;
  const horizon = given.horizon ?? (await chooseHorizon(frequency, null, command));
  const input: LocalInput = { kind: 'rows', rows, frequency, title };
  const made =
    engine === null
      ? await forecastThere(input, await command.requireService(), { progress, horizon, given })
      : await forecastHere(input, {
          config: command.config,
          stderr: terminal.stderr,
          engine,
          progress,
          horizon,
          given,
        });
  return { ...made, title, facts: { reading: withHorizon(reading, given) } };
}

function withHorizon<Reading extends { readonly inferred: readonly string[] }>(
  reading: Reading,
  { horizon }: GivenRequest,
) {
  return horizon === undefined ? { ...reading, inferred: [...reading.inferred, 'horizon'] } : reading;
}

async function forecastSeries(
  { source, name }: Extract<Target, { kind: 'series' }>,
  given: GivenRequest,
  command: SeriesCommand,
): Promise<MadeForecast> {
  const { config, terminal, progress, isRemote } = command;
  const bundled = isRemote ? null : await describeBundled(source, progress.signal);
  using engine = bundled === null ? null : await beginEngine(config);
  const service = bundled === null ? await command.findService() : null;
  if (bundled === null && service === null) throw seriesUnknownHere(name);
  const described = bundled ?? (await describeRemote(service, source, progress.signal));
  const { frequency = '', reporting_period = null } = described ?? {};
  const horizon = given.horizon ?? (await chooseHorizon(frequency, reporting_period, command));
  const inferred = given.horizon === undefined ? { inferred: ['horizon'] } : {};
  const read = described === undefined ? source : chooseValue(described, source, (line) => progress.note(line));
  const input: LocalInput = { kind: 'series', source: read };
  const made =
    engine === null
      ? await forecastThere(input, await command.requireService(), { progress, horizon, given })
      : await forecastHere(input, { config, stderr: terminal.stderr, engine, progress, horizon, given });
  return { ...made, facts: inferred };
}

async function describeRemote(service: Connection | null, source: PublicReference, signal: AbortSignal) {
  // The client's types of a source are those of the contract, written out.
  const described = await service?.almanac.series.describe({ source } as never, { signal });
  return described as Description | undefined;
}

/** Returns the usual horizon of a frequency, and states it on standard error. */
async function chooseHorizon(
  frequency: string,
  reportingPeriod: string | null,
  { progress }: SeriesCommand,
): Promise<number> {
  const { wordHorizon } = await import('../../wording/index.ts');
  const { usual, format } = wordHorizon(frequency, reportingPeriod, MAX_HORIZON);
  progress.note(`Forecasting ${format(usual)} (--horizon).`);
  return usual;
}
