import { runCommandLine } from './cli/index.ts';

process.exitCode = await runCommandLine(['serve', ...process.argv.slice(2)]);
if (process.connected) process.disconnect();
