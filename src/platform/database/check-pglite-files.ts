import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedFolderError } from './errors.ts';
import { locatePgliteFiles } from './pglite-files.ts';

const PAGE_BYTES = 8_192;
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The layout of `pg_control` in PostgreSQL 18. */
const CONTROL = { redo: 40, timeline: 48, nextTransaction: 64, checksum: 292 };

/** A page of `pg_xact` has the state of this many transactions, and a file this many pages. */
const TRANSACTIONS_PER_PAGE = PAGE_BYTES * 4;
const PAGES_PER_FILE = 32;

/** The page size and the version of the layout, as the header of a page has them. */
const PAGE_VERSION = 0x2004;
const PAGE_VERSION_OFFSET = 18;

/** At most this many pages of a table are checked, evenly spaced, so that a large database starts as fast as a small one. */
const MAX_PAGES_PER_TABLE = 64;

/**
 * Checks the files of the embedded database before it is started, and throws `DamagedFolderError` if it could not run.
 * A start of PGlite would change files even if it fails, and it would end with an error that only PostgreSQL's
 * developers understand. Files are only read.
 */
export function checkPgliteFiles(folder: string): void {
  const files = locatePgliteFiles(folder);
  const problem = findProblem(files);
  if (problem !== null) throw new DamagedFolderError(folder, `${problem}. Nothing was changed`);
}

function findProblem(files: string): string | null {
  const control = readIfExists(join(files, 'global/pg_control'));
  if (control?.length !== PAGE_BYTES) return 'global/pg_control is missing or has the wrong size';
  if (crc32c(control.subarray(0, CONTROL.checksum)) !== control.readUInt32LE(CONTROL.checksum)) {
    return 'the checksum of global/pg_control is wrong';
  }
  const segment = nameSegment(control.readUInt32LE(CONTROL.timeline), control.readBigUInt64LE(CONTROL.redo));
  if (sizeOf(join(files, segment)) !== SEGMENT_BYTES) return `${segment} is missing or has the wrong size`;
  return findTransactionProblem(files, control.readUInt32LE(CONTROL.nextTransaction)) ?? findTableProblem(files);
}

/** Returns the path of the segment of the write-ahead log with which a recovery begins. */
function nameSegment(timeline: number, position: bigint): string {
  const parts = [BigInt(timeline), position >> 32n, (position & 0xffff_ffffn) / BigInt(SEGMENT_BYTES)];
  return join('pg_wal', parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join(''));
}

function findTransactionProblem(files: string, nextTransaction: number): string | null {
  const page = Math.floor((nextTransaction - 1) / TRANSACTIONS_PER_PAGE);
  const name = Math.floor(page / PAGES_PER_FILE)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0');
  const path = join('pg_xact', name);
  const size = sizeOf(join(files, path));
  return size === undefined || size < ((page % PAGES_PER_FILE) + 1) * PAGE_BYTES
    ? `${path} is missing or too short`
    : null;
}

function findTableProblem(files: string): string | null {
  if (!existsSync(join(files, 'base'))) return 'base is missing';
  const folders = readdirSync(join(files, 'base')).map((name) => join('base', name));
  for (const folder of [...folders, 'global']) {
    for (const name of readdirSync(join(files, folder))) {
      // Tables and indexes are named by numbers. Their maps (_fsm, _vm) are built again if they are damaged.
      if (/^\d+(\.\d+)?$/.test(name) && !hasValidPages(join(files, folder, name))) {
        return `${join(folder, name)} does not contain pages of a table`;
      }
    }
  }
  return null;
}

function hasValidPages(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const pages = Math.floor(statSync(path).size / PAGE_BYTES);
    const step = Math.max(1, pages / MAX_PAGES_PER_TABLE);
    const header = Buffer.alloc(PAGE_VERSION_OFFSET + 2);
    for (let page = 0; page < pages; page += step) {
      readSync(file, header, 0, header.length, Math.floor(page) * PAGE_BYTES);
      // A page of zeros is valid: a table is extended before its rows are written.
      if (header.readUInt16LE(PAGE_VERSION_OFFSET) !== PAGE_VERSION && header.some((byte) => byte !== 0)) return false;
    }
    return true;
  } finally {
    closeSync(file);
  }
}

function readIfExists(path: string): Buffer | undefined {
  return sizeOf(path) === undefined ? undefined : readFileSync(path);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Returns the CRC-32C of the bytes, with which PostgreSQL protects `pg_control`. Node offers only CRC-32. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f6_3b78 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
