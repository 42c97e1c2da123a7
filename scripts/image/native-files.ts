import { closeSync, globSync, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Architecture } from './architecture.ts';

const ELF = Buffer.from('\x7fELF', 'latin1');
/** The position of the machine in the header of an ELF file. */
const MACHINE = 18;

/** Returns how many programs and libraries a folder has, and fails if one is for another architecture. */
export function countNativeFiles(root: string, { npm, elfMachine }: Architecture): number {
  let count = 0;
  for (const name of globSync('**/*', { cwd: root })) {
    const machine = readMachine(path.join(root, name));
    if (machine === undefined) continue;
    if (machine !== elfMachine) throw new Error(`${name} is not for ${npm}: its header names the machine ${machine}.`);
    count += 1;
  }
  return count;
}

function readMachine(file: string): number | undefined {
  if (!lstatSync(file).isFile()) return undefined;
  const header = Buffer.alloc(MACHINE + 2);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header);
  } finally {
    closeSync(descriptor);
  }
  return header.subarray(0, 4).equals(ELF) ? header.readUInt16LE(MACHINE) : undefined;
}
