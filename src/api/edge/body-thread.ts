// Entry point of the threads that parse large bodies, so that the thread that answers requests is not blocked.

import type { BodyLimits } from '../../contract/index.ts';
import { Moved, serveSessions } from '../../platform/threads/serve-sessions.ts';
import { type ParsedBody, parseJsonText } from './json-text.ts';

serveSessions<BodyLimits, Uint8Array, ParsedBody>((limits) => (bytes) => {
  const parsed = parseJsonText(bytes, limits);
  const { rows } = parsed;
  return new Moved(parsed, rows === null ? [] : [rows.times.buffer, rows.values.buffer, rows.numbers.buffer]);
});
