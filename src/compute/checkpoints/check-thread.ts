// Entry point of the thread that checks whether the files of a checkpoint form a model, which takes a few tenths of a
// second.

import { checkCheckpoint } from '../../engine/index.ts';
import { serveSessions } from '../../platform/threads/serve-sessions.ts';
import type { CheckpointFiles } from './checkpoint.ts';

serveSessions<null, CheckpointFiles, null>(() => (files) => {
  checkCheckpoint(files);
  return null;
});
