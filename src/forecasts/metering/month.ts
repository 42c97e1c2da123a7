/** The month whose allowance is used, in UTC. @example monthOf(new Date('2026-11-30T23:59:59Z')) // 2026-11 */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}
