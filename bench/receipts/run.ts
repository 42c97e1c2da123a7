// Measures what receipts cost: the gas of a proof by the size of its batch, on a local EVM node, and the CPU that
// completing a forecast takes more if its proof is handed over to be stamped.
//
//   npm run -s bench:receipts

import { availableParallelism, cpus } from 'node:os';
import { formatTable } from '../format-table.ts';
import { measureCompletion } from './completion-cpu.ts';
import { measureGas } from './gas.ts';

const BATCH_SIZES = [1, 10, 50, 100, 200];

console.log(
  `${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}`,
);

const format = (gas: number) => Math.round(gas).toLocaleString('en-US');
const { deployment, addSet, addSetObject, batches } = await measureGas(BATCH_SIZES);
console.log('\nGas of the commitment contract, which does not depend on the machine');
console.log(
  formatTable([
    ['call', 'proofs', 'gas', 'gas of a proof'],
    ['deployment', '', format(deployment), ''],
    ['addSet', '', format(addSet), ''],
    ['addSetObject', '1', format(addSetObject), format(addSetObject)],
    ...[...batches].map(([size, gas]) => ['addSetObjectsBatch', String(size), format(gas), format(gas / size)]),
  ]),
);

const cpu = await measureCompletion();
console.log('\nCPU of completing the default forecast of 500 rows without its fits, embedded database, medians');
console.log(
  formatTable([
    ['', 'ms'],
    ['proof not stamped', cpu.unstamped.toFixed(2)],
    ['proof handed over to be stamped', cpu.stamped.toFixed(2)],
    ['difference', (cpu.stamped - cpu.unstamped).toFixed(2)],
    [`SHA-256 of ${format(cpu.documentBytes)} bytes`, cpu.sha256.toFixed(2)],
    ['SHA3-256 of the same', cpu.sha3.toFixed(2)],
  ]),
);
