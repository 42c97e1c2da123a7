/** @example saySeconds(60_000) // 60 seconds */
export function saySeconds(ms: number): string {
  return ms === 1_000 ? 'one second' : `${ms / 1_000} seconds`;
}
