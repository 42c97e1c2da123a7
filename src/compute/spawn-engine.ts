import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CHILD_FLAGS, childEnvironment } from '../platform/index.ts';
import type { EngineCommand, EngineReport, EngineSettings } from './engine-messages.ts';

const SCRIPT = fileURLToPath(new URL('./engine-process.ts', import.meta.url));

/** The last characters of the error output that are part of the reason. */
const MAX_ERROR_OUTPUT = 2_000;

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
 * @param onEnd called once when the process has ended, with the reason
 */
export function spawnEngine(
  settings: EngineSettings,
  onReport: (report: EngineReport) => void,
  onEnd: (error: Error) => void,
): EngineProcess {
  const child = fork(SCRIPT, {
    env: childEnvironment(),
    execArgv: [...CHILD_FLAGS],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT);
  });
  child.on('message', (report) => onReport(report as EngineReport));
  const ended = once(child, 'close').catch(() => undefined);
  child.on('error', (error) => onEnd(new Error(`The engine cannot be started: ${error.message}`)));
  child.on('close', (code, signal) => {
    onEnd(new Error(`The engine has ended: ${signal ?? `exit code ${code}`}.`, { cause: errorOutput.trim() }));
  });
  // The end of the process is reported otherwise.
  const send = (message: EngineCommand | EngineSettings): void => void child.send(message, () => undefined);
  send(settings);
  return {
    send,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
