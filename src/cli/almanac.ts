import { runCommandLine } from './run-command-line.ts';

// A reader such as `head` that has enough closes the pipe. That is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCommandLine(process.argv.slice(2));
if (process.connected) process.disconnect();
