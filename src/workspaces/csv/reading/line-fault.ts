import { Fault } from '../../../contract/index.ts';

/** What is wrong with a file, and where. Lines count from 1, as editors show them. */
export function lineFault(line: number, finding: string): Fault {
  return new Fault('INVALID_REQUEST', `line ${line}: ${finding}`);
}

/** A cell as a message shows it: in quotes, and not all of it where it is long. */
export function sayCell(cell: string): string {
  return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
}
