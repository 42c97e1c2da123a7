/**
 * Sets the clock of this process: `Date` starts at an instant and advances from there. Refresh tokens, sessions and
 * idempotency keys of a fixture expire, and the cleanup removes old rows, so a fixture is always opened on the day on
 * which it was written.
 *
 * @returns a function that restores the clock
 */
export function setClock(instant: Date): () => void {
  const RealDate = globalThis.Date;
  const behind = RealDate.now() - instant.getTime();
  const now = (): number => RealDate.now() - behind;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = RealDate;
  };
}
