import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CHILD_FLAGS, childEnvironment } from '../platform/index.ts';
import type { EngineCommand, EngineReport, EngineSettings } from './engine-messages.ts';

const SCRIPT = fileURLToPath(new URL('./engine-process.ts', import.meta.url));

/** How often a process that is never ended reports. */
const MAX_ALIVE_SECONDS = 60;

/** The last characters of the error output that are part of the reason. */
const MAX_ERROR_OUTPUT = 2_000;

/** The engine's process ended or stopped responding. The message is for operators. */
export class EngineEndedError extends Error {
  override readonly name = 'EngineEndedError';
}

/** The number of reports that may be missing before the process counts as stuck. */
const MISSED_REPORTS = 4;

/** The process of an engine. */
export interface EngineProcess {
  /** Throws if the command cannot be cloned. */
  send(command: EngineCommand): void;
  /** Kills the process, which has nothing to save. Resolves when it has ended. */
  end(): Promise<void>;
}

/**
 * Starts the process of an engine.
 *
 * @param stuckSeconds the time after which a process that does not respond is killed. 0: never
 * @param onEnd called once when the process has ended, with the reason
 */
export function spawnEngine(
  settings: Omit<EngineSettings, 'aliveMs'>,
  stuckSeconds: number,
  onReport: (report: EngineReport) => void,
  onEnd: (error: Error) => void,
): EngineProcess {
  const child = fork(SCRIPT, {
    // onnxruntime would send reports about its use to its maker.
    env: { ...childEnvironment(), ORT_DISABLE_TELEMETRY: '1' },
    execArgv: [...CHILD_FLAGS],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT);
  });
  const aliveMs = ((stuckSeconds || MAX_ALIVE_SECONDS) * 1_000) / MISSED_REPORTS;
  let missed = 0;
  child.on('message', (report) => {
    missed = 0;
    onReport(report as EngineReport);
  });
  // Reports that are due are counted, not the time: while the machine is suspended, this process does not run either.
  const watch = setInterval(() => {
    missed += 1;
    if (stuckSeconds === 0 || missed <= MISSED_REPORTS) return;
    onEnd(new EngineEndedError(`The engine has not responded for ${stuckSeconds} s, and was ended.`));
    child.kill('SIGKILL');
  }, aliveMs);
  watch.unref();
  const ended = once(child, 'close').catch(() => undefined);
  child.on('error', (error) => onEnd(new EngineEndedError(`The engine cannot be started: ${error.message}`)));
  child.on('close', (code, signal) => {
    clearInterval(watch);
    onEnd(
      new EngineEndedError(`The engine has ended: ${signal ?? `exit code ${code}`}.`, { cause: errorOutput.trim() }),
    );
  });
  // The end of the process is reported otherwise.
  const send = (message: EngineCommand | EngineSettings): void => void child.send(message, () => undefined);
  send({ ...settings, aliveMs });
  return {
    send,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
