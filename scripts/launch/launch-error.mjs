/** Something the person at the terminal can act on: shown as its message alone, without a stack. */
export class LaunchError extends Error {}
