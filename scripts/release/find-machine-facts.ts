import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '../..');

/** Returns what the bytes tell about the machine that wrote them: its name, its folders and its user. */
export function findMachineFacts(content: Buffer): string[] {
  // A short name can be part of other words.
  const names = [hostname(), userInfo().username].filter((name) => name.length > 5);
  return [CHECKOUT, `${homedir()}/`, join(tmpdir(), 'almanac'), ...names].filter((fact) => content.includes(fact));
}
