import { Fault } from '../../contract/index.ts';
import { type checkLedger, isSound } from '../../forecasts/index.ts';
import type { Config } from '../../platform/index.ts';
import { runOperation } from '../run-operation.ts';

/** Fails when credits and slots do not add up. */
export async function checkWholeLedger(config: Config): Promise<object> {
  const report = (await runOperation(config, 'ledger check', {})) as Awaited<ReturnType<typeof checkLedger>>;
  if (isSound(report)) return report;
  // A command that fails prints no result by itself, and here the result says what is wrong.
  process.stdout.write(`${JSON.stringify(report)}\n`);
  throw new Fault('INTERNAL', 'The ledger does not add up. The line on standard output says where.');
}
