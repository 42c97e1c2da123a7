import { addCursor } from '../chart-cursor.ts';

/** Lets the arrow keys read the revisions of a question from its chart. The values come from the table below it. */
export function readProbabilities(root: ParentNode): void {
  const figure = root.querySelector('.odds-figure');
  const chart = figure?.querySelector<HTMLElement>('.chart');
  const table = document.getElementById('revision-table');
  const shown = figure?.querySelector('.values');
  if (!chart || !(table instanceof HTMLTableElement)) return;
  // The table has the newest first, and the chart the oldest.
  const rows = [...(table.tBodies[0]?.rows ?? [])].reverse();
  const describe = (index: number): string => {
    const [number, probability, time] = [...(rows[index]?.cells ?? [])].map((cell) => cell.textContent?.trim() ?? '');
    return `Revision ${number}: ${probability}, ${time}`;
  };
  addCursor(chart, {
    count: () => rows.length,
    describe,
    onMove: (index) => {
      if (shown) shown.textContent = index === null ? '' : describe(index);
      rows.forEach((row, i) => {
        row.classList.toggle('is-current', i === index);
      });
    },
  });
}
