/**
 * Lets the arrow keys move from the search field through the results and back. The focus itself moves, so that Enter
 * opens the result, screen readers read it and Tab continues from it.
 */
export function moveThroughResults(field: HTMLInputElement, results: HTMLElement): void {
  const links = () => Array.from(results.querySelectorAll<HTMLAnchorElement>('[data-result]'));

  field.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' || isModified(event)) return;
    const [first] = links();
    if (first === undefined) return;
    event.preventDefault();
    show(first);
  });

  results.addEventListener('keydown', (event) => {
    if (isModified(event)) return;
    const all = links();
    const at = all.findIndex((link) => link.closest('.result')?.contains(document.activeElement));
    if (at < 0) return;
    const next = target(event.key, at, all.length - 1);
    if (next === null) return;
    event.preventDefault();
    const link = next < 0 ? undefined : all[next];
    if (link === undefined) {
      field.focus();
      field.select();
    } else show(link);
  });
}

/** Returns the result that a key moves to; a negative number for the field, null if the key moves nothing. */
function target(key: string, at: number, last: number): number | null {
  if (key === 'ArrowDown') return Math.min(last, at + 1);
  if (key === 'ArrowUp') return at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return key === 'Escape' ? -1 : null;
}

function show(link: HTMLAnchorElement): void {
  link.focus();
  link.closest('.result')?.scrollIntoView({ block: 'nearest' });
}

function isModified({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}
