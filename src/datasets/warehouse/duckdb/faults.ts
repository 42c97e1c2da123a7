import { Fault } from '../../../contract/index.ts';

export function localReadsBusy(): Fault {
  return new Fault('UNAVAILABLE', 'The service is busy with other reads of local tables. Try again shortly.', {
    retryAfter: 5,
  });
}

export function localReadsStopped(): Fault {
  return new Fault('UNAVAILABLE', 'The service is stopping. Try again shortly.', { retryAfter: 5 });
}

const HOW_TO_NARROW = 'Narrow the read with source.start, source.end or source.filters.';

export function queryTooSlow(seconds: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source: the read takes longer than the limit of ${seconds} seconds. ${HOW_TO_NARROW}`,
  );
}

export function queryTooLarge(): Fault {
  return new Fault('UNPROCESSABLE', `source: the read needs more memory than the limit of 512 MB. ${HOW_TO_NARROW}`);
}

export function readEnded(): Fault {
  return new Fault('UNAVAILABLE', 'The process that reads local tables was ended. Try again.', { retryAfter: 1 });
}

export function filesUnreadable(): Fault {
  return new Fault(
    'UNPROCESSABLE',
    'source.table: the files of the table cannot be read. The log of the service has the reason for its operator.',
  );
}

export function csvLineInvalid(line: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.table: the files of the table cannot be read. The operator must correct line ${line}, which is not valid CSV with the columns of the header.`,
  );
}

export function fileNameUnsupported(): Fault {
  return new Fault(
    'UNPROCESSABLE',
    'source.table: the files of the table cannot be read, because the name of a folder contains a question mark or a backslash. The operator must rename it.',
  );
}

/** The longest part of a cell that a message contains. */
const MAX_CELL_TEXT = 100;

export function cellInvalid(text: string): Fault {
  const shown = JSON.stringify(text.slice(0, MAX_CELL_TEXT));
  return new Fault(
    'UNPROCESSABLE',
    `source.table: a cell contains ${shown}, which does not have the type of its column. Choose other fields or filters, or let the operator correct the file.`,
  );
}
