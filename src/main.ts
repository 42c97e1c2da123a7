import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from './cli/index.ts';

// One thread optimises the code of the embedded database. By default there are four, and where the machine has fewer
// cores they take them from the start itself.
setFlagsFromString('--wasm-num-compilation-tasks=1');

process.exitCode = await runCommandLine(['serve', ...process.argv.slice(2)]);
if (process.connected) process.disconnect();
