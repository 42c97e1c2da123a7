export interface Colors {
  readonly back: string;
  readonly ink: string;
  readonly soft: string;
  readonly grid: string;
  readonly axis: string;
  readonly rising: string;
  readonly falling: string;
  readonly line: string;
}

/** Returns the colors of charts, as the stylesheet sets them for the present look. */
export function readColors(place: HTMLElement): Colors {
  place.classList.add('almanac-chart');
  const style = getComputedStyle(place);
  const read = (name: string): string => style.getPropertyValue(`--chart-${name}`).trim();
  return {
    back: read('back'),
    ink: read('ink'),
    soft: read('soft'),
    grid: read('grid'),
    axis: read('axis'),
    rising: read('fan'),
    falling: read('outcome'),
    line: read('median'),
  };
}
