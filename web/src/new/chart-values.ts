import { addCursor } from '../chart-cursor.ts';

/**
 * Lets the arrow keys read the values of charts that the server drew. The values come from the table after the figure, so
 * that both agree.
 */
export function readCharts(root: ParentNode): void {
  for (const figure of root.querySelectorAll('figure[data-cursor]')) {
    const chart = figure.querySelector<HTMLElement>('.chart');
    const table = figure.parentElement?.querySelector('table');
    const shown = figure.querySelector('.values');
    if (!chart || !table) continue;
    const names = [...table.querySelectorAll('thead th')].map(({ textContent }) => textContent ?? '');
    const rows = [...table.querySelectorAll('tbody tr')];
    const describe = (index: number): string =>
      [...(rows[index]?.children ?? [])]
        .map(({ textContent }, column) =>
          column === 0 ? textContent : textContent && `${names[column]} ${textContent}`,
        )
        .filter(Boolean)
        .join(', ');
    addCursor(chart, {
      count: () => rows.length,
      describe,
      onMove: (index) => {
        if (shown) shown.textContent = index === null ? '' : describe(index);
      },
    });
  }
}
