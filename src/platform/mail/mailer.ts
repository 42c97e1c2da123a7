/** An email to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Further headers, in addition to those that every email has. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The id with angle brackets; generated if omitted. With the same id for each attempt, a mailbox can recognize
   * duplicates.
   */
  readonly messageId?: string;
  /** The images that the HTML shows as `cid:…`. */
  readonly images?: readonly MailImage[];
}

export interface MailImage {
  readonly cid: string;
  readonly filename: string;
  readonly png: Buffer;
}

export interface SendOptions {
  /**
   * Called at the last moment at which the email can be withdrawn: the server has accepted DATA, and no part of the text
   * has been sent. With a slow server this is long after the call to `send`. If it returns false or fails, nothing is
   * sent.
   */
  readonly isStillWanted?: () => Promise<boolean>;
}

export interface Mailer {
  /** Whether emails are sent to a mail server. Otherwise they are written to the log. */
  readonly delivers: boolean;
  /** Resolves when the mail server has accepted the email; rejects with a `MailError` otherwise. */
  send(mail: Mail, options?: SendOptions): Promise<void>;
}

export interface MailErrorTraits {
  readonly permanent?: boolean;
  readonly badAddress?: boolean;
  readonly uncertain?: boolean;
  readonly withdrawn?: boolean;
}

/**
 * The error for an email that was not accepted. It contains neither the recipient nor the credentials of the server, so
 * that it can be logged and stored with a job.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the mail server rejected the email permanently, so that a retry is useless. */
  readonly permanent: boolean;
  /** Whether the mail server rejects every email to this address. */
  readonly badAddress: boolean;
  /** Whether the email was sent but there was no clear reply. It may arrive, so a retry may deliver it twice. */
  readonly uncertain: boolean;
  /** Whether the email was withdrawn before it was sent (`SendOptions.isStillWanted`). */
  readonly withdrawn: boolean;

  constructor(message: string, traits: MailErrorTraits = {}) {
    super(message);
    this.permanent = traits.permanent ?? false;
    this.badAddress = traits.badAddress ?? false;
    this.uncertain = traits.uncertain ?? false;
    this.withdrawn = traits.withdrawn ?? false;
  }
}

/** What an error of the mailer means for the email. */
export type MailFailure = 'withdrawn' | 'uncertain' | 'bad_address' | 'rejected' | 'temporary';

/**
 * Returns what an error of the mailer means for the email. An unexpected error is `uncertain`, because the email may have
 * been sent before it.
 */
export function classifyMailError(error: unknown): MailFailure {
  if (!(error instanceof MailError)) return 'uncertain';
  if (error.withdrawn) return 'withdrawn';
  if (error.uncertain) return 'uncertain';
  if (error.badAddress) return 'bad_address';
  return error.permanent ? 'rejected' : 'temporary';
}
