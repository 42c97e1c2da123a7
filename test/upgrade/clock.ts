/**
 * Sets the clock of this process: `Date` starts at an instant and runs on from there. Refresh tokens, sessions and
 * idempotency keys of a fixture expire, and housekeeping removes what is old. A fixture is opened on the day that it
 * was written, in whichever year the test runs.
 *
 * @returns sets the clock right again
 */
export function setClock(instant: Date): () => void {
  const TrueDate = globalThis.Date;
  const behind = TrueDate.now() - instant.getTime();
  const now = (): number => TrueDate.now() - behind;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new TrueDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return () => {
    globalThis.Date = TrueDate;
  };
}
