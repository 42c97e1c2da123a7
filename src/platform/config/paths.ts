import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The longest path that Linux accepts. */
const MAX_PATH_LENGTH = 4_096;

/**
 * Reads the path of a file that exists. Throws an `Error` whose message completes "NAME must …", without the text, which
 * may be a secret that was set by mistake.
 */
export function readFilePath(text: string): string {
  const path = resolve(text);
  if (findPath(path)?.isFile()) return path;
  throw new Error('be the path of a file that exists');
}

/** Returns the facts about an absolute path; undefined if there is no such file or folder. */
export function findPath(path: string): Stats | undefined {
  // A path with a zero byte cannot be passed to the system, and one on several lines would break the message.
  if (path.length > MAX_PATH_LENGTH || /\p{Cc}/u.test(path)) return undefined;
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // For example, a part of the path is a file, or may not be read.
    return undefined;
  }
}
