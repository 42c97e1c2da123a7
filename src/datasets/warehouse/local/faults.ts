import { Fault } from '../../../contract/index.ts';

/** @param form a file or folder of the table, such as sales.csv */
export function formsConflict(table: string, form: string, other: string): Fault {
  return unreadable(`local.${table} is both ${form} and ${other}. The operator must rename one of them.`);
}

export function formatsMixed(parquet: string, csv: string): Fault {
  return unreadable(
    `its folder contains both Parquet files (${quoteFile(parquet)}) and CSV files (${quoteFile(csv)}). The operator must move one of the kinds.`,
  );
}

export function tooManyFiles(table: string, max: number): Fault {
  return unreadable(`the folder ${table} has more than ${formatNumber(max)} files and folders.`);
}

export function foldersTooDeep(table: string, max: number): Fault {
  return unreadable(`the folder ${table} has folders more than ${max} levels deep.`);
}

export function tableFileNameUnsupported(file: string): Fault {
  return unreadable(
    `the name ${quoteFile(file)} contains a question mark, a backslash, a control character or bytes that are not UTF-8. The operator must rename the file.`,
  );
}

export function warehouseFolderUnsupported(): Fault {
  return unreadable(
    'the path in ALMANAC_WAREHOUSE contains a question mark, a backslash, a control character or a folder such as key=value. The operator must move the folder.',
  );
}

export function partitionRepeated(file: string, key: string): Fault {
  return unreadable(`two folders of ${quoteFile(file)} state ${quoteFile(key)}. The operator must rename one of them.`);
}

export function partitionsDiffer(file: string, first: string): Fault {
  return unreadable(
    `the folders of ${quoteFile(file)} and ${quoteFile(first)} do not have the same keys. The operator must rename them.`,
  );
}

export function parquetUnreadable(file: string): Fault {
  return unreadable(`${quoteFile(file)} is not a readable Parquet file.`);
}

export function parquetFooterTooLarge(file: string): Fault {
  return unreadable(
    `the footer of ${quoteFile(file)} is too large. The operator can write the file with fewer row groups.`,
  );
}

export function parquetColumnsExceeded(file: string, max: number): Fault {
  return unreadable(`${quoteFile(file)} has more than ${formatNumber(max)} columns.`);
}

export function footerTooSlow(file: string): Fault {
  return unreadable(`the footer of ${quoteFile(file)} took too long to read.`);
}

/** @param finding what is wrong, as a sentence about the file */
export function csvHeadInvalid(file: string, finding: string): Fault {
  return unreadable(`${quoteFile(file)} cannot be read: ${finding}`);
}

/** @param finding how the file differs from the first file, such as "it has no column x" */
export function filesDisagree(file: string, first: string, finding: string): Fault {
  return unreadable(`${quoteFile(file)} does not have the columns of ${quoteFile(first)}: ${finding}.`);
}

export function warehouseFolderMissing(): Fault {
  return new Fault('UNAVAILABLE', 'The folder with the local tables cannot be read. Try again later.', {
    retryAfter: 60,
  });
}

export function tableChanged(): Fault {
  return new Fault('UNAVAILABLE', 'The files of the table changed while they were read. Try again.', { retryAfter: 1 });
}

function unreadable(finding: string): Fault {
  return new Fault('UNPROCESSABLE', `source.table: ${finding}`);
}

/** The longest part of the name of a file that a message contains. */
const MAX_FILE_NAME = 200;

function quoteFile(file: string): string {
  return JSON.stringify(file.length > MAX_FILE_NAME ? `${file.slice(0, MAX_FILE_NAME)}…` : file);
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}
