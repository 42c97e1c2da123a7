import { CommandFailure, EXIT_CODES } from './exit-codes.ts';

export function fileNotFound(path: string): CommandFailure {
  return new CommandFailure(EXIT_CODES.input, `${path}: there is no such file. Check the path.`);
}

export function isDirectory(path: string): CommandFailure {
  return new CommandFailure(EXIT_CODES.input, `${path} is a directory. Name a CSV file in it.`);
}

export function inputUnreadable(path: string, reason: string): CommandFailure {
  return new CommandFailure(EXIT_CODES.input, `${path} cannot be read: ${reason}.`);
}

/** @param limit such as "50 MiB" */
export function inputTooLarge(path: string, limit: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.input,
    `${path} has more than ${limit}. Keep only the columns and rows that the forecast needs.`,
  );
}

/** @param remedy what the columns are, or why one of them cannot be read */
export function noColumn(path: string, what: 'times' | 'numbers', remedy: string): CommandFailure {
  return new CommandFailure(EXIT_CODES.input, `${path}: no column has ${what} that can be read. ${remedy}`);
}

export function dateOrderUnknown(path: string, line: number, cell: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.input,
    `${path}: line ${line}: ${JSON.stringify(cell)} can be read day first or month first, and no row tells which. Choose with --dates day_first or --dates month_first.`,
  );
}

/** @param example a condition that selects one series, such as "store=Berlin"; null if no column tells them apart */
export function severalSeries(path: string, problem: string, example: string | null): CommandFailure {
  const remedy =
    example === null
      ? 'Keep one row for each time.'
      : `If the file has several series, choose one, for example with --where ${JSON.stringify(example)}; otherwise keep one row for each time.`;
  return new CommandFailure(EXIT_CODES.input, `${path}: ${problem} ${remedy}`);
}

export function noMatchingRow(path: string, column: string, value: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.input,
    `--where: no row of ${path} has ${JSON.stringify(value)} in the column ${JSON.stringify(column)}. Check the spelling.`,
  );
}

export function columnNotFound(option: string, column: string, known: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.input,
    `${option}: the file has no column ${JSON.stringify(column)}. Its columns are ${known}.`,
  );
}

/** @param option the option with a path, such as "--svg" */
export function outputUnwritable(option: string, path: string, reason: string): CommandFailure {
  return new CommandFailure(EXIT_CODES.input, `${option}: ${path} cannot be written: ${reason}.`);
}

export function seriesUnknownHere(name: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.unreachable,
    `${name} is neither a file nor a bundled series, and no service is running with this data folder. Start one with "npm start", or name one with --server URL --key KEY. "almanac search" lists the bundled series.`,
  );
}

export function serviceNeeded(command: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.unreachable,
    `${command} needs a service, and none is running with this data folder. Start one with "npm start", or name one with --server URL --key KEY.`,
  );
}

export function keyNeeded(url: string): CommandFailure {
  return new CommandFailure(
    EXIT_CODES.refused,
    `The service at ${url} needs an API key. Pass --key, or set ALMANAC_KEY. "almanac key create EMAIL" makes one.`,
  );
}

export function interrupted(): CommandFailure {
  return new CommandFailure(EXIT_CODES.interrupted, 'Interrupted.');
}
