/** An error that the user can fix. Only its message is shown, without a stack trace. */
export class LaunchError extends Error {}
