/** The exit codes of the command line. docs/command-line.md explains them. */
export const EXIT_CODES = {
  done: 0,
  /** The command failed for a reason that is not among the others. */
  failed: 1,
  /** The command line is malformed. */
  usage: 2,
  /** The file, standard input or series cannot be read or forecast as it is. */
  input: 3,
  /** The service refuses the credential, the scope or the limit of the plan. */
  refused: 4,
  /** No service replies. */
  unreachable: 5,
  /** As shells report a process that Ctrl-C has ended. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** A failure with a message for people and the exit code that tells scripts its kind. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
