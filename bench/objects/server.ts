// Runs an object storage for the benchmark in a process of its own, and sends the settings of a service that uses it.

import { startObjectServer } from '../../test/support/platform/object-server.ts';

const server = await startObjectServer();
process.send?.(server.environment);
process.once('disconnect', async () => {
  await server[Symbol.asyncDispose]();
});
