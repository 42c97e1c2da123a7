import type { Log } from '../../platform/index.ts';

type Triggers = Pick<NodeJS.ProcessReport, 'reportOnFatalError' | 'reportOnSignal' | 'reportOnUncaughtException'>;
/** What decides about reports. Node has `excludeEnv` since 22.13. */
type ReportSettings = Triggers & { excludeEnv?: boolean };

/**
 * Keeps the environment, which can hold passwords, out of the reports that Node writes when a process crashes or gets a
 * signal. They are off by default, but options of Node turn them on. A Node that cannot leave out the environment writes
 * none.
 */
export function protectReports(log: Pick<Log, 'warn'>, report: ReportSettings = process.report): void {
  if (report.excludeEnv !== undefined) {
    report.excludeEnv = true;
    return;
  }
  const isOn = report.reportOnFatalError || report.reportOnSignal || report.reportOnUncaughtException;
  report.reportOnFatalError = false;
  report.reportOnSignal = false;
  report.reportOnUncaughtException = false;
  if (isOn) log.warn('diagnostic reports are off, because those of this version of Node contain the environment');
}
