import { existsSync, readFileSync } from 'node:fs';

/** A published result on the same series. */
export interface PeerScore {
  readonly method: string;
  readonly group: string;
  readonly n: number;
  readonly smape: number;
  readonly mase: number;
}

/** Reads `NAME-peers.csv` (method,group,n,smape,mase) beside `NAME.txt`, if it exists. */
export function readPeers(seriesFile: string): PeerScore[] {
  const file = seriesFile.replace(/\.[^./]*$/, '').concat('-peers.csv');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(1);
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [method = '', group = '', n, smape, mase] = line.split(',');
      return { method, group: group.toLowerCase(), n: Number(n), smape: Number(smape), mase: Number(mase) };
    });
}
