import { addCursor } from '../chart-cursor.ts';

/** Lets the arrow keys move over the points of each plot. What is announced is the row of the table beside it. */
export function addPlotCursors(root: ParentNode): void {
  for (const plot of root.querySelectorAll<HTMLElement>('[data-cursor]')) {
    const table = document.getElementById(plot.dataset.cursor ?? '');
    if (!(table instanceof HTMLTableElement) || plot.tabIndex === 0) continue;
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent ?? '');
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    const points = () => plot.querySelectorAll('[data-point]');
    addCursor(plot, {
      count: () => rows.length,
      describe: (index) =>
        [...(rows[index]?.cells ?? [])].map((cell, i) => `${heads[i]} ${cell.textContent}`).join(', '),
      onMove: (index) => {
        for (const point of points()) {
          point.classList.toggle('is-current', point.getAttribute('data-point') === String(index));
        }
        rows.forEach((row, i) => {
          row.classList.toggle('is-current', i === index);
        });
      },
    });
    plot.addEventListener('blur', () => {
      for (const marked of [...points(), ...rows]) marked.classList.remove('is-current');
    });
  }
}
