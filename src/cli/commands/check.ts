import { z } from 'zod';
import type { CheckReport } from '../../compose/index.ts';
import { adminCommand, FailedCheckError, JSON_OPTION } from '../command.ts';

/** Reading and hashing every snapshot of a large database takes minutes. */
const REPLY_TIMEOUT_MS = 30 * 60_000;

export const checkCommands = [
  adminCommand({
    name: 'check',
    arguments: [],
    options: { ...JSON_OPTION },
    summary: 'Checks the ledger, snapshots, proofs, references and the queue; fails if it finds damage.',
    example: 'check --json',
    input: z.strictObject({}),
    replyTimeoutMs: REPLY_TIMEOUT_MS,
    changesNothing: true,
    readInput: () => ({}),
    async execute({ database }) {
      const { checkService } = await import('../../compose/index.ts');
      return checkService(database);
    },
    formatResult: (result) => formatReport(result as CheckReport),
    async checkResult(result) {
      const { findings } = result as CheckReport;
      if (findings.length === 0) return;
      throw new FailedCheckError(
        result,
        `${findings.length} ${findings.length === 1 ? 'problem was' : 'problems were'} found.`,
      );
    },
  }),
];

function formatReport({ checked, findings }: CheckReport): string {
  const lines = Object.entries(checked).map(([check, count]) => {
    const found = findings.filter((finding) => finding.check === check);
    const head = `${check}: ${count} checked, ${found.length === 0 ? 'sound' : `${found.length} found`}`;
    return [head, ...found.map(({ subject, problem, remedy }) => `  ${subject}: ${problem} ${remedy}`)].join('\n');
  });
  return `${lines.join('\n')}\n`;
}
