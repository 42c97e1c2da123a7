import { z } from 'zod';
import { inspectSettings, type SettingsReport } from '../../platform/index.ts';
import { type AdminCommand, adminCommand, FailedCheckError, JSON_OPTION, type SetupCommand } from '../command.ts';
import type { DoctorReport } from '../doctor/run-doctor.ts';
import { formatColumns } from '../help.ts';

/** Commands that examine the settings themselves, so they run even if these are invalid. */
export const doctorCommands: SetupCommand[] = [
  {
    name: 'doctor',
    arguments: [],
    options: { ...JSON_OPTION, online: { type: 'boolean', help: 'also send one request to each configured provider' } },
    summary: 'Checks the installation and states the next step for each problem; changes nothing.',
    example: 'doctor',
    async examine(environment, values) {
      const { runDoctor } = await import('../doctor/run-doctor.ts');
      const report = await runDoctor(environment, { online: values.online === true });
      const shown = values.json === true ? report : formatReport(report);
      if (!report.ok) throw new FailedCheckError(shown, 'The doctor found a problem.');
      return shown;
    },
  },
  {
    name: 'config check',
    arguments: [],
    options: JSON_OPTION,
    summary: 'Checks the settings as a start does, and lists those that are set, without their secrets.',
    example: 'config check',
    async examine(environment, values) {
      const report = inspectSettings(environment);
      const shown = values.json === true ? { ok: report.problems.length === 0, ...report } : formatSettings(report);
      if (report.problems.length > 0) throw new FailedCheckError(shown, 'The settings are not valid.');
      return shown;
    },
  },
];

/** What a running service does for the doctor. It is not a command of its own. */
export const doctorOperation: AdminCommand = adminCommand({
  name: 'doctor',
  arguments: [],
  options: {},
  summary: 'Reads what the doctor reports about the database.',
  example: 'doctor',
  input: z.strictObject({ online: z.boolean() }),
  readInput: () => ({ online: false }),
  async execute(foundation, input) {
    const { inspectDatabase } = await import('../doctor/inspect-database.ts');
    return inspectDatabase(foundation, input);
  },
});

/** Formats a line for each finding: its status, its check, what was found and the next step. */
function formatReport({ checks }: DoctorReport): string {
  const rows = checks.map(({ check, status, message, next_step: step }) => {
    return [status, check, step === null ? message : `${message} ${step}`];
  });
  return `${formatColumns(rows, '')}\n`;
}

function formatSettings({ settings, problems, unknown }: SettingsReport): string {
  const rows = [
    ...settings.map(({ name, value, source }) => [name, value, source]),
    ...unknown.map(({ name, nearest }) => [
      name,
      nearest === null ? 'not a setting' : `not a setting: ${nearest}?`,
      'environment',
    ]),
  ];
  const list =
    rows.length === 0 ? 'No setting is set.\n' : `${formatColumns([['SETTING', 'VALUE', 'SOURCE'], ...rows], '')}\n`;
  return `${list}${problems.map((sentence) => `${sentence}\n`).join('')}`;
}
