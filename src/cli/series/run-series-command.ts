import type { Config } from '../../platform/index.ts';
import type { CommandValues, Terminal } from '../command.ts';
import { type Connection, connect } from '../connect.ts';
import { explainFailure } from '../explain-failure.ts';
import { interrupted, serviceNeeded } from '../failures.ts';
import { type Progress, startProgress } from '../progress.ts';
import { STANDARD_INPUT } from './read-target.ts';

/** What commands about series and forecasts share. */
export interface SeriesCommand {
  readonly config: Config;
  readonly values: CommandValues;
  readonly terminal: Terminal;
  readonly progress: Progress;
  /** Whether an option names a service, so that nothing is done in this process. */
  readonly isRemote: boolean;
  /** Returns the service of the options or of the data folder; null if there is none. */
  findService(): Promise<Connection | null>;
  /** Returns the service, or throws a failure that states how to start or name one. */
  requireService(): Promise<Connection>;
}

/** Runs a command, shows its progress, ends it on Ctrl-C and explains its failures. */
export async function runSeriesCommand<Result>(
  { name, subject }: { readonly name: string; readonly subject: string },
  { config, values, terminal }: Pick<SeriesCommand, 'config' | 'values' | 'terminal'>,
  run: (command: SeriesCommand) => Promise<Result>,
): Promise<Result> {
  using progress = startProgress(terminal.stderr);
  let service: Connection | null = null;
  const findService = async () => {
    service ??= await connect({ config, values, env: terminal.env });
    return service;
  };
  const requireService = async () => {
    const found = await findService();
    if (found === null) throw serviceNeeded(name);
    return found;
  };
  try {
    const isRemote = values.server !== undefined;
    return await run({ config, values, terminal, progress, isRemote, findService, requireService });
  } catch (error) {
    if (progress.signal.aborted) throw interrupted();
    throw explainFailure(error, { subject: subject === STANDARD_INPUT ? 'standard input' : subject, service });
  }
}
