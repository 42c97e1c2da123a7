import { Fault } from '../../../../contract/index.ts';

export function seriesNotNamed(): Fault {
  return new Fault('INVALID_REQUEST', 'source: must be market, economic_series or warehouse_table.');
}

/** @param message names the parameter and the remedy */
export function invalidChoice(message: string): Fault {
  return new Fault('INVALID_REQUEST', message);
}

export function rangeOfFile(name: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `${name}: a file of this series has all its rows. Leave it out, or choose the latest rows with limit.`,
  );
}
