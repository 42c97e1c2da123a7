export { type Clock, systemClock } from './clock.ts';
export * from './config/index.ts';
export * from './database/index.ts';
export { type IdPrefix, newId } from './ids.ts';
export { createLog, type Log } from './log.ts';
export { makePrivateFolder } from './private-folder.ts';
export * from './queue/index.ts';
