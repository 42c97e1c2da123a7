import { spawn } from 'node:child_process';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  readonly environment: Environment;
  readonly cwd: string;
  /** Show the output only if the program fails. */
  readonly isQuiet?: boolean;
}

/** Runs a program to its end. Throws if it fails. This process serves the proxy meanwhile, so it must not be blocked. */
export function run(
  command: string,
  args: readonly string[],
  { environment, cwd, isQuiet }: RunOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code ?? signal}:\n${output}`));
    });
  });
}
