const NAMES = ['back', 'ink', 'soft', 'grid', 'axis', 'history', 'fan', 'median', 'outcome', 'shade'] as const;

export type FanColors = Readonly<Record<(typeof NAMES)[number], string>> & { readonly models: readonly string[] };

/** Reads the colors of the charts from the stylesheet, which depend on the color scheme. */
export function readColors(element: HTMLElement): FanColors {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const colors = Object.fromEntries(NAMES.map((name) => [name, read(`--chart-${name}`)])) as Record<
    (typeof NAMES)[number],
    string
  >;
  return { ...colors, models: [0, 1, 2, 3, 4, 5].map((index) => read(`--model-${index}`)) };
}

/** Returns a color of the form #rrggbb with an opacity. */
export function withAlpha(color: string, alpha: number): string {
  return `${color}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
}
