import type { Scores } from './evaluate.ts';
import type { PeerScore } from './peers.ts';

const BEST_PEERS = 6;

/** Formats one table per group: our models, then the best peers by sMAPE. */
export function formatTables(scores: Scores, peers: readonly PeerScore[]): string {
  return Object.entries(scores)
    .map(([group, models]) => {
      const ours = Object.entries(models).map(([model, s]) =>
        row(model, s.n, [s.smape, s.mase, s.wql, 100 * s.coverage_80, s.cpu_ms]),
      );
      const theirs = peers
        .filter((peer) => peer.group === group)
        .sort((a, b) => a.smape - b.smape)
        .slice(0, BEST_PEERS)
        .map((peer) => row(`  ${peer.method}`, peer.n, [peer.smape, peer.mase]));
      const head = `${group.padEnd(18)}${'n'.padStart(6)}${'sMAPE'.padStart(9)}${'MASE'.padStart(9)}${'wQL'.padStart(9)}${'80%'.padStart(9)}${'CPU ms'.padStart(9)}`;
      return [head, ...ours, ...(theirs.length > 0 ? ['peers', ...theirs] : [])].join('\n');
    })
    .join('\n\n');
}

function row(name: string, n: number, values: readonly number[]): string {
  const digits = [3, 4, 4, 1, 2];
  const cells = values.map((value, i) => value.toFixed(digits[i]).padStart(9));
  return name.padEnd(18) + String(n).padStart(6) + cells.join('');
}
