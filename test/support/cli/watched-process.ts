// A process with a watchdog, for tests: `stuck` blocks its main thread for ever, `working` does not.

import { createWatchdog } from '../../../src/cli/serve/watchdog.ts';

const isStuck = process.argv[2] === 'stuck';
createWatchdog(isStuck ? 1 : 3).start();
setInterval(() => undefined, 100);
process.stdout.write('ready\n');
setTimeout(() => {
  while (isStuck);
}, 100);
