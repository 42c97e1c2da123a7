const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const clock = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Returns an instant in the zone of the reader. @example formatLocal(0) // Jan 1, 1970, 01:00 GMT+1 */
export function formatLocal(time: number): string {
  return clock.format(time);
}

/** Whether the zone of the reader is UTC, so that a local time would repeat what the page already shows. */
export const isUtc = zone === 'UTC' || zone === 'Etc/UTC';

/**
 * Adds the time in the reader's zone to every `<time data-local>`. The page itself has UTC, which stays visible, because
 * two readers in different zones must be able to speak about the same instant.
 */
export function showLocalTimes(root: ParentNode): void {
  if (isUtc) return;
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const time = Date.parse(element.dateTime);
    if (Number.isNaN(time) || element.dataset.local === 'done') continue;
    element.dataset.local = 'done';
    const local = document.createElement('span');
    local.className = 'local';
    local.textContent = ` (${formatLocal(time)})`;
    element.append(local);
  }
}
