import type { CollaboratorRole } from '../../contract/index.ts';
import type { Mail } from '../../platform/index.ts';
import { called } from './called.ts';

export interface PlaceMail {
  readonly to: string;
  readonly siteUrl: string;
  /** The address of the one who adds. */
  readonly by: string;
  readonly workspace: string;
  readonly role: CollaboratorRole;
}

/**
 * To somebody who is invited. Plain text, and with few words that another person has chosen: a mail from us is believed,
 * and must not be a way to tell strangers anything one likes.
 */
export function invitationMail(mail: PlaceMail & { readonly secret: string; readonly expiresAt: Date }): Mail {
  return {
    to: mail.to,
    subject: 'You are invited to a workspace of Almanac',
    text: paragraphs(
      `${mail.by} invites you (${mail.to}) to ${called(mail.workspace)} at ${mail.siteUrl}, ${asRole(mail.role)}. To accept, open`,
      `${mail.siteUrl}/auth/invitation?token=${mail.secret}`,
      `The link works once, until ${written(mail.expiresAt)}. You need an account with this address; the page helps you make one.`,
      'If you do not know who this is, ignore this mail, and nothing happens.',
    ),
  };
}

/** To somebody with an account, who is a member at once. */
export function additionMail({ to, siteUrl, by, workspace, role }: PlaceMail): Mail {
  return {
    to,
    subject: 'You were added to a workspace of Almanac',
    text: paragraphs(
      `${by} has added your account (${to}) at ${siteUrl} to ${called(workspace)}, ${asRole(role)}.`,
      'There is nothing to do. You can leave the workspace at any time.',
    ),
  };
}

function asRole(role: CollaboratorRole): string {
  return role === 'editor' ? 'as an editor' : 'as a viewer';
}

function written(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}
