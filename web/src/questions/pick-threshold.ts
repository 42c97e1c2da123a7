/** Lets a visitor pick a threshold on the fan. */
export function pickThresholds(_root: ParentNode): void {}
